// TEMPORARY until core/labels lands
import type { Language } from "#core/languages.ts";

const fmt = (n: number, l: Language) =>
  new Intl.NumberFormat(l === "es" ? "es-ES" : l, { useGrouping: "always" as never })
    .format(n)
    .replaceAll(" ", " ");
export const formatPrice = (eur: number, l: Language) =>
  l === "en" ? `€${fmt(eur, l)}` : `${fmt(eur, l)} €`;
export const formatArea = (m2: number, l: Language) => `${fmt(m2, l)} m²`;
export const timeLabel = (ms: number, l: Language) => {
  const m = Math.floor(ms / 60000);
  return m < 1
    ? "Just now"
    : m < 60
      ? `${m} min ago`
      : m < 1440
        ? `${Math.floor(m / 60)} hours ago`
        : `${Math.floor(m / 1440)} days ago`;
};
