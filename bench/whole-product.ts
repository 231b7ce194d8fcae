import { allPlaces } from "#core/places/places.ts";

const CITY = "0-EU-ES-28-07-001-079";
const DISTRICTS = [...allPlaces()].filter(({ id, level }) => level === "district" && id.startsWith(CITY));
const LOWEST_PRICE_EUR = 800;
const WIDTH_EUR = 5;

/** All different, and so narrow that a listing published for one matches no other. */
export function differentSearches(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const place = DISTRICTS[n % DISTRICTS.length]?.path.join("/");
    const lowest = LOWEST_PRICE_EUR + WIDTH_EUR * n;
    const limits = `con-precio-hasta_${lowest + WIDTH_EUR - 1},precio-desde_${lowest}`;
    return `https://www.idealista.com/alquiler-viviendas/${place}/${limits}/`;
  });
}
