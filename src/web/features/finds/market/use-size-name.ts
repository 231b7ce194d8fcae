import type { SizeBand } from "#core/finds/find.ts";
import { formatAreaRange } from "#text/labels.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";

export function useSizeName(): (size: SizeBand) => string {
  const t = useTexts("market");
  const language = useLanguage();
  return (size) => {
    if (size === "50-79") return formatAreaRange(50, 79, language);
    return size === "80-119" ? formatAreaRange(80, 119, language) : t(`size.${size}`);
  };
}
