/** A kind of browser as people know it. Either name is "other" where the user agent does not tell. */
export interface Browser {
  readonly family: string;
  readonly platform: string;
}

export const OTHER = "other";

// The first match counts: nearly every browser also claims to be those further down.
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/\b(Edg|EdgA|EdgiOS)\//, "Edge"],
  [/\b(OPR|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+.* Safari\//, "Safari"],
];
const PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Longer user agents are cut off: browsers stay far below, and the rest is the sender's choice. */
const MAX_CHARACTERS = 400;

export function browserOf(userAgent: string | null): Browser {
  const text = userAgent?.slice(0, MAX_CHARACTERS) ?? "";
  const nameIn = (table: typeof FAMILIES) => table.find(([pattern]) => pattern.test(text))?.[1] ?? OTHER;
  return { family: nameIn(FAMILIES), platform: nameIn(PLATFORMS) };
}
