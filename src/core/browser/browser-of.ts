/** A browser by family and platform. Either is "other" if the user agent does not say. */
export interface Browser {
  readonly family: string;
  readonly platform: string;
}

export const OTHER = "other";

// The first match counts: nearly every browser also names those further down.
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

/** The user agent is the sender's choice. Real ones are far shorter than this. */
const MAX_CHARACTERS = 400;

export function browserOf(userAgent: string | null): Browser {
  const text = userAgent?.slice(0, MAX_CHARACTERS) ?? "";
  const nameIn = (table: typeof FAMILIES) => table.find(([pattern]) => pattern.test(text))?.[1] ?? OTHER;
  return { family: nameIn(FAMILIES), platform: nameIn(PLATFORMS) };
}
