/** The autonomous communities that the portal searches by name, with their provinces. The others are one province each. */
export interface Region {
  readonly slug: string;
  readonly name: string;
  readonly provinceIds: readonly string[];
}

export const REGION_SEARCHES: readonly Region[] = [
  region("andalucia", "Andalucía", "04 11 14 18 21 23 29 41"),
  region("aragon", "Aragón", "22 44 50"),
  region("islas-canarias", "Canarias", "35 38"),
  region("castilla-la-mancha", "Castilla-La Mancha", "02 13 16 19 45"),
  region("castilla-y-leon", "Castilla y León", "05 09 24 34 37 40 42 47 49"),
  region("cataluna", "Cataluña", "08 17 25 43"),
  region("comunidad-valenciana", "Comunidad Valenciana", "03 12 46"),
  region("extremadura", "Extremadura", "06 10"),
  region("galicia", "Galicia", "15 27 32 36"),
  region("pais-vasco", "País Vasco", "01 20 48"),
];

function region(slug: string, name: string, numbers: string): Region {
  return { slug, name, provinceIds: numbers.split(" ").map((number) => `0-EU-ES-${number}`) };
}
