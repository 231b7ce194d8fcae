/** Untrusted text as one line, without characters that could change its direction or hide it. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u2800\u3164\u115f\u1160]/g;
/** Our own sentences hold these between a number and its unit. */
const UNBREAKABLE = /[\u00a0\u202f]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
// Created when first needed: on a phone that takes longer than everything else here.
let graphemes: Intl.Segmenter | undefined;

/** One line of at most that length; null if nothing in it is visible. */
export function lineOf(text: string | null, longest: number): string | null {
  if (text === null) return null;
  const line = withoutBreaks(text.slice(0, longest * 20).replace(LONE_SURROGATE, ""));
  if (isBlank(line)) return null;
  return line.length <= longest ? line : shorten(line, longest);
}

/** Whether nothing of it can be seen, such as the invisible names that Telegram allows. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(UNSEEN, ""));
}

/** Text that a person typed: every gap becomes one ordinary space. */
export function oneLine(text: string): string {
  return withoutBreaks(text).replace(UNBREAKABLE, " ").trim();
}

/** Line breaks become spaces; invisible characters and marks that change the text direction are removed. */
function withoutBreaks(text: string): string {
  return text
    .replace(UNSEEN, "")
    .replace(BREAKS, (gap) => (gap.length === 1 && gap.match(UNBREAKABLE) ? gap : " "))
    .trim();
}

/** Cuts between graphemes. */
function shorten(line: string, longest: number): string {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let kept = "";
  for (const { segment } of graphemes.segment(line)) {
    if (kept.length + segment.length > longest - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
