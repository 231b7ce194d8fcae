import { ZONES_ATTRIBUTION, ZONES_LICENCE_URL } from "#core/zones/city-shapes.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/** The zones' authors ask to be named wherever their work is shown. */
export function ZonesSource() {
  const t = useTexts("map");
  return (
    <a
      href={ZONES_LICENCE_URL}
      target="_blank"
      rel="noopener noreferrer"
      className="justify-self-end py-1 text-right text-xs text-muted hover:underline"
    >
      {t("source", { source: ZONES_ATTRIBUTION })}
    </a>
  );
}
