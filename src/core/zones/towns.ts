/** The municipalities of Spain as zones. The files of a community are loaded with the first of its provinces. */
import { boxOf } from "../geo/box.ts";
import { allPlaces, findPlace } from "../places/places.ts";
import { type AreaNet, areasInNet } from "./area-net.ts";
import type { Zone } from "./city-shapes.ts";

const COMMUNITIES: readonly (readonly [provinces: string, load: () => Promise<AreaNet>])[] = [
  ["04 11 14 18 21 23 29 41", async () => (await import("./spain/andalucia.ts")).ANDALUCIA_AREAS],
  ["22 44 50", async () => (await import("./spain/aragon.ts")).ARAGON_AREAS],
  ["33", async () => (await import("./spain/asturias.ts")).ASTURIAS_AREAS],
  ["07", async () => (await import("./spain/baleares.ts")).BALEARES_AREAS],
  ["35 38", async () => (await import("./spain/canarias.ts")).CANARIAS_AREAS],
  ["39", async () => (await import("./spain/cantabria.ts")).CANTABRIA_AREAS],
  ["02 13 16 19 45", async () => (await import("./spain/castilla-la-mancha.ts")).CASTILLA_LA_MANCHA_AREAS],
  [
    "05 09 24 34 37 40 42 47 49",
    async () => (await import("./spain/castilla-y-leon.ts")).CASTILLA_Y_LEON_AREAS,
  ],
  ["08 17 25 43", async () => (await import("./spain/catalunya.ts")).CATALUNYA_AREAS],
  ["51 52", async () => (await import("./spain/ceuta-y-melilla.ts")).CEUTA_Y_MELILLA_AREAS],
  ["06 10", async () => (await import("./spain/extremadura.ts")).EXTREMADURA_AREAS],
  ["15 27 32 36", async () => (await import("./spain/galicia.ts")).GALICIA_AREAS],
  ["26", async () => (await import("./spain/la-rioja.ts")).LA_RIOJA_AREAS],
  ["28", async () => (await import("./spain/madrid.ts")).MADRID_AREAS],
  ["30", async () => (await import("./spain/murcia.ts")).MURCIA_AREAS],
  ["31", async () => (await import("./spain/navarra.ts")).NAVARRA_AREAS],
  ["01 20 48", async () => (await import("./spain/pais-vasco.ts")).PAIS_VASCO_AREAS],
  ["03 12 46", async () => (await import("./spain/valencia.ts")).VALENCIA_AREAS],
];

/** As the licence of the boundaries asks for. Shown wherever they are. */
export const TOWNS_ATTRIBUTION = "CC BY 4.0 ign.es";
export const TOWNS_LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/";

/** The municipalities of a province, the largest part of each first; none for what is not a province of Spain. */
export async function loadTowns(provinceId: string): Promise<readonly Zone[]> {
  const province = provinceId.slice(-2);
  const [, load] = COMMUNITIES.find(([provinces]) => provinces.includes(province)) ?? [];
  if (!load) return [];
  return areasInNet(await load())
    .filter(({ id }) => id.startsWith(province))
    .flatMap(({ id, name, rings }) => {
      const placeId = townIdOf(provinceId, id.slice(province.length));
      return rings.flatMap((ring, part) => {
        const box = boxOf(ring);
        return box ? [{ placeId, ring, box, town: { name: findPlace(placeId)?.name ?? name, part } }] : [];
      });
    });
}

/** Of a municipality's id in the portal. */
export const TOWN_PARTS = 7;
/** Between a province and a municipality the portal has two more parts, which only the catalogue knows. */
const UNKNOWN_PARTS = "00-000";

let knownIds: ReadonlyMap<string, string> | undefined;

function townIdOf(provinceId: string, number: string): string {
  knownIds ??= new Map(
    [...allPlaces()]
      .filter(({ level }) => level === "municipality")
      .map(({ id }) => [`${id.split("-").slice(0, 4).join("-")}-${id.slice(-3)}`, id]),
  );
  return knownIds.get(`${provinceId}-${number}`) ?? `${provinceId}-${UNKNOWN_PARTS}-${number}`;
}

/** The id of the municipality that a place is or lies in, as the map has it; null for a larger place. */
export function townOfPlace(placeId: string): string | null {
  const parts = placeId.split("-");
  return parts.length < TOWN_PARTS
    ? null
    : townIdOf(parts.slice(0, 4).join("-"), parts[TOWN_PARTS - 1] ?? "");
}
