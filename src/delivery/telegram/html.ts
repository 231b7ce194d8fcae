/** Text as Telegram's HTML wants it: escaped, and nothing in it that could turn or hide the line. */
import { escapeHtml } from "#core/escape-html.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;
/** Marks that turn the direction of what follows, and characters that show nothing. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u2800\u3164\u115f\u1160]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** One line of somebody else's words, no longer than that; null where nothing is to be seen in it. */
export function lineOf(text: string | null, longest: number): string | null {
  if (text === null) return null;
  const line = text
    .slice(0, longest * 20)
    .replace(LONE_SURROGATE, "")
    .replace(UNSEEN, "")
    .replace(BREAKS, " ")
    .trim();
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(line)) return null;
  return line.length <= longest ? line : shorten(line, longest);
}

/** Never in the middle of what a reader sees as one character. */
function shorten(line: string, longest: number): string {
  let kept = "";
  for (const { segment } of graphemes.segment(line)) {
    if (kept.length + segment.length > longest - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function bold(text: string): string {
  return `<b>${escapeHtml(text)}</b>`;
}

export function struck(text: string): string {
  return `<s>${escapeHtml(text)}</s>`;
}

/** A touch copies it. */
export function copyable(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** The text alone where it cannot be a link. */
export function linked(text: string, url: string): string {
  return isLink(url) ? `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>` : escapeHtml(text);
}

/** What our own markup reads as, for a message that must do without. */
export function plainOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Telegram takes no link to a host of one part, "localhost" among them. */
export function isLink(url: string): boolean {
  if (url.length > 2048 || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && hostname.includes(".");
}
