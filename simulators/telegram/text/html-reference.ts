const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** The character reference at that place, if Telegram knows it; the semicolon may be missing. */
export function decodeReference(html: string, at: number): { text: string; next: number } | undefined {
  const match = /^&(?:#x([0-9a-f]*)|#(\d*)|([a-z]*));?/i.exec(html.slice(at, at + 40));
  if (match === null) return undefined;
  const [whole, hex, decimal, name] = match;
  if (name !== undefined) {
    const text = NAMED[name];
    return text === undefined ? undefined : { text, next: at + whole.length };
  }
  const code = hex === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hex, 16);
  const isTooLong = whole.replace(";", "").length >= 10;
  if (!(code > 0 && code < 0x10ffff) || isTooLong || whole.startsWith("&#X")) return undefined;
  return { text: String.fromCodePoint(code), next: at + whole.length };
}
