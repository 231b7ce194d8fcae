/** Somebody else's words in one line, with nothing in it that could turn or hide the line. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;
/** Marks that turn the direction of what follows, and characters that show nothing. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u2800\u3164\u115f\u1160]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
// Made when first needed: on a phone that takes longer than all else here.
let graphemes: Intl.Segmenter | undefined;

/** One line of somebody else's words, no longer than that; null where nothing is to be seen in it. */
export function lineOf(text: string | null, longest: number): string | null {
  if (text === null) return null;
  const line = oneLine(text.slice(0, longest * 20).replace(LONE_SURROGATE, ""));
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(line)) return null;
  return line.length <= longest ? line : shorten(line, longest);
}

/** Line breaks become spaces; invisible characters and marks that change the text direction are removed. */
export function oneLine(text: string): string {
  return text.replace(UNSEEN, "").replace(BREAKS, " ").trim();
}

/** Never in the middle of what a reader sees as one character. */
function shorten(line: string, longest: number): string {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let kept = "";
  for (const { segment } of graphemes.segment(line)) {
    if (kept.length + segment.length > longest - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
