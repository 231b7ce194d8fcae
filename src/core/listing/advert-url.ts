import type { Language } from "../languages.ts";

/** Idealista's Spanish pages have no prefix. */
const ADVERT = /^(https:\/\/www\.idealista\.com\/)(?:[a-z]{2}\/)?(inmueble\/\d+\/.*)$/;

/** The page of an advert in the reader's language. The stored URL stays as it is, and so do those of other portals. */
export function advertUrlIn(url: string, language: Language): string {
  return url.replace(ADVERT, (_, site: string, page: string) =>
    language === "es" ? site + page : `${site}${language}/${page}`,
  );
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)fotocasa\.es$/, "Fotocasa"],
  [/(?:^|\.)habitaclia\.com$/, "Habitaclia"],
  [/(?:^|\.)yaencontre\.com$/, "Yaencontre"],
];

/** The portal that an advert is on. */
export function portalNameOf(url: string): string {
  const host = /^https?:\/\/([^/:?#]+)/.exec(url)?.[1] ?? "";
  return NAMES.find(([pattern]) => pattern.test(host))?.[1] ?? "Idealista";
}
