import type { Language } from "./languages.ts";

/** The legal pages on the product's site exist in English and Spanish only. */
export function legalAddress(siteUrl: string, page: "terms" | "privacy", language: Language): string {
  const prefix = language === "es" ? "/es" : "";
  return `${siteUrl.replace(/\/+$/, "")}${prefix}/${page}`;
}
