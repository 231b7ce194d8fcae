/**
 * Turns any text into an address of this site: a path that begins with one slash and has no empty segment, with query
 * and fragment unchanged. Browsers read a backslash as a slash and drop tabs and line breaks, so `//evil.example`,
 * `/\evil.example` and `/<tab>/evil.example` would all leave the site.
 * Must not refer to anything outside itself: its source text is also inlined in the head of every page.
 */
export function sitePath(address: string): string {
  const text = address.replace(/\p{Cc}/gu, "");
  const { index: end = text.length } = /[?#]/.exec(text) ?? {};
  return `/${text.slice(0, end)}`.replace(/[\\/]+/g, "/") + text.slice(end);
}
