/** Place names by the portal's slug: the catalogue, the larger towns and the regions. */

import { REGION_SEARCHES } from "./catalogue/regions.ts";
import { REGIONS, TOWNS } from "./catalogue/towns.ts";
import { allPlaces, findPlace } from "./places.ts";
import { slugOf } from "./slug.ts";

export interface KnownTown {
  readonly slug: string;
  readonly name: string;
  readonly provinceId: string;
  /** Its segments in a search URL. */
  readonly path: readonly string[];
}

export const KNOWN_TOWNS: readonly KnownTown[] = Object.entries(TOWNS).flatMap(([number, names]) =>
  names.split(" | ").map((name) => knownTown(name, `0-EU-ES-${number}`)),
);

function knownTown(name: string, provinceId: string): KnownTown {
  const slug = slugOf(name);
  return { slug, name, provinceId, path: [`${slug}-${slugOf(findPlace(provinceId)?.name ?? "")}`] };
}

const townsByKey = new Map(KNOWN_TOWNS.map((town) => [`${town.provinceId}/${town.slug}`, town]));
const names = new Map<string, string>();
const words = new Map<string, string | null>();

for (const { name } of [...KNOWN_TOWNS, ...allPlaces()]) learn(name);
for (const name of REGIONS) learn(name);
for (const { slug, name } of REGION_SEARCHES) names.set(slug, name);

export function findTown(provinceId: string, slug: string): KnownTown | undefined {
  return townsByKey.get(`${provinceId}/${slug}`);
}

/** "javeaxabia" is "Jávea/Xàbia"; unknown slugs are spelt word by word: "L'Hospitalet de Llobregat". */
export function nameOfSlug(slug: string): string {
  return names.get(slug) ?? spelled(slug);
}

/** The province's name without the suffix that only sorted lists need: "Balears (Illes)". */
export function provinceName(provinceId: string): string {
  const name = findPlace(provinceId)?.name ?? "";
  return name.replace(/^(.*) \((.*)\)$/, "$2 $1");
}

function learn(name: string): void {
  const slug = slugOf(name);
  if (!names.has(slug)) names.set(slug, name);
  for (const word of name.split(/[^\p{L}\p{M}]+/u)) {
    const key = slugOf(word);
    if (key.length < 3) continue;
    const known = words.get(key);
    // Two spellings of one word: neither can be trusted.
    words.set(key, known === undefined || known?.toLowerCase() === word.toLowerCase() ? word : null);
  }
}

const SMALL_WORDS = new Set("a al d de del dels e el els en i l la las les los o y".split(" "));

function spelled(slug: string): string {
  const parts = slug.split("-").map((word, index) => {
    if (index > 0 && SMALL_WORDS.has(word)) return word;
    const known = words.get(word) ?? word;
    return known.charAt(0).toUpperCase() + known.slice(1);
  });
  // "l-hospitalet", "camp-d-esports": a single letter before a vowel has lost its apostrophe.
  return parts.join(" ").replace(/\b([LlDd]) (?=[AEIOUHÀÈÉÍÒÓÚ])/gu, "$1'");
}
