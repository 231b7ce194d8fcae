import type { SizeBand } from "#core/finds/find.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { sizeRange } from "./market-format.ts";

/** How a band of sizes is called. */
export function useSizeName(): (size: SizeBand) => string {
  const t = useTexts("market");
  const language = useLanguage();
  return (size) => (size === "50-79" || size === "80-119" ? sizeRange(size, language) : t(`size.${size}`));
}
