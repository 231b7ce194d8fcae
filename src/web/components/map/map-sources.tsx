import { ZONES_ATTRIBUTION, ZONES_LICENCE_URL } from "#core/zones/city-shapes.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/** Most tiles are made of OpenStreetMap's data, whose licence asks for this link. */
const STREETS_LICENCE_URL = "https://www.openstreetmap.org/copyright";

/** The zones' authors ask to be named wherever their work is shown. */
export function ZonesSource() {
  const t = useTexts("map");
  return <SourceLink url={ZONES_LICENCE_URL} words={t("source", { source: ZONES_ATTRIBUTION })} />;
}

export function TilesSource({ words }: { words: string }) {
  return <SourceLink url={STREETS_LICENCE_URL} words={words} />;
}

function SourceLink({ url, words }: { url: string; words: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="py-1 text-right text-xs text-balance wrap-anywhere text-muted hover:underline"
    >
      {words}
    </a>
  );
}
