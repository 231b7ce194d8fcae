import { type CityShapes, type Zone, zonesOf } from "./city-shapes.ts";
import { loadTowns } from "./towns.ts";

/** By the province whose capital has shapes. Each city is a file of its own, loaded on demand. */
const CITIES: Readonly<Record<string, () => Promise<CityShapes>>> = {
  "0-EU-ES-28": async () => (await import("./madrid.ts")).MADRID,
  "0-EU-ES-08": async () => (await import("./barcelona.ts")).BARCELONA,
  "0-EU-ES-46": async () => (await import("./valencia.ts")).VALENCIA,
};

export const DRAWN_PROVINCES: readonly string[] = Object.keys(CITIES);

/** The municipalities of a province and, where we have finer ones, the zones of its capital. */
export async function loadZones(provinceId: string): Promise<readonly Zone[]> {
  const [towns, city] = await Promise.all([loadTowns(provinceId), CITIES[provinceId]?.()]);
  return city ? [...towns, ...zonesOf(city)] : towns;
}
