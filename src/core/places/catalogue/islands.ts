/** The islands that the portal searches as a part of their province: balears-illes/mallorca. */
export interface Island {
  readonly name: string;
  readonly slug: string;
  readonly provinceId: string;
  readonly path: readonly [province: string, island: string];
}

const PROVINCES: readonly (readonly [number: string, slug: string, islands: string])[] = [
  ["07", "balears-illes", "Mallorca | Menorca | Ibiza"],
  ["35", "las-palmas", "Gran Canaria | Lanzarote | Fuerteventura"],
  ["38", "santa-cruz-de-tenerife", "Tenerife | La Palma | La Gomera | El Hierro"],
];

export const ISLANDS: readonly Island[] = PROVINCES.flatMap(([number, province, names]) =>
  names.split(" | ").map((name): Island => {
    const slug = name.toLowerCase().replaceAll(" ", "-");
    return { name, slug, provinceId: `0-EU-ES-${number}`, path: [province, slug] };
  }),
);

export function islandOfPath(path: readonly string[]): Island | undefined {
  const [province, slug, ...inside] = path;
  return inside.length > 0
    ? undefined
    : ISLANDS.find((island) => island.path[0] === province && island.slug === slug);
}

/** Also by the name that the portal gives the town of Formentera. */
export function islandNamed(name: string): boolean {
  return name === "Formentera" || ISLANDS.some((island) => island.name === name);
}
