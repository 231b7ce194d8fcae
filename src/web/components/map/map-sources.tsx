import { ZONES_ATTRIBUTION, ZONES_LICENCE_URL, type Zone } from "#core/zones/city-shapes.ts";
import { TOWNS_ATTRIBUTION, TOWNS_LICENCE_URL } from "#core/zones/towns.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/** Most tiles are made of OpenStreetMap's data, whose licence asks for this link. */
const STREETS_LICENCE_URL = "https://www.openstreetmap.org/copyright";

interface MapSourceProps {
  zones: readonly Zone[];
  /** Streets cover the boundaries of the ground. */
  hasStreets?: boolean;
}

/** The authors of boundaries and zones ask to be named wherever their work is shown. */
export function MapSource({ zones, hasStreets = false }: MapSourceProps) {
  const t = useTexts("map");
  return (
    <>
      {zones.some(({ town }) => !town) && (
        <SourceLink url={ZONES_LICENCE_URL} words={t("source", { source: ZONES_ATTRIBUTION })} />
      )}
      {(!hasStreets || zones.length > 0) && (
        <SourceLink url={TOWNS_LICENCE_URL} words={t("borders", { source: TOWNS_ATTRIBUTION })} />
      )}
    </>
  );
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
