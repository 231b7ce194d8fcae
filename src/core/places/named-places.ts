/** The places that questions offer, each with all its names and those of what is around it. Computed at the first question. */
import { PLACE_ALIASES } from "./aliases.ts";
import { islandOfTown } from "./catalogue/island-towns.ts";
import { ISLANDS, type Island } from "./catalogue/islands.ts";
import { REGION_SEARCHES } from "./catalogue/regions.ts";
import { NAMES_INSIDE, SPOKEN_NAMES } from "./catalogue/spoken-names.ts";
import { type FoldedWord, foldedWords, type Name, namedOf } from "./fold-name.ts";
import { KNOWN_TOWNS } from "./known-names.ts";
import { type KnownWhere, placeKeyOf } from "./place-key.ts";
import { allPlaces, ancestorsOf, findPlace, type Place } from "./places.ts";

export interface NamedPlace {
  readonly where: KnownWhere;
  readonly name: string;
  /** Its location id, or one made up below its province: a place inside has it as a prefix. */
  readonly scope: string;
  /** Towns before their parts, these before provinces: a name is more often a town's. */
  readonly order: number;
  readonly level: (typeof ORDER)[number];
  /** `isInside`: of a part that the portal does not list. */
  readonly names: readonly (Name & { readonly isInside: boolean })[];
  /** Texts and sounds of the words that name the places around it. */
  readonly around: ReadonlySet<string>;
}

const ORDER = ["municipality", "island", "district", "barrio", "comarca", "region", "province"] as const;

let places: readonly NamedPlace[] | undefined;

export function namedPlaces(): readonly NamedPlace[] {
  places ??= [...catalogued(), ...towns(), ...islands(), ...regions()];
  return places;
}

function catalogued(): NamedPlace[] {
  return [...allPlaces()].map(({ id, name, level }) =>
    named(
      { type: "place", placeId: id },
      { name, scope: id, level, also: aliasesOf(id, level), around: ancestorsOf(id) },
    ),
  );
}

/** A barrio with two names is called by either: "Chueca-Justicia". */
function aliasesOf(id: string, level: Place["level"]): readonly string[] {
  const aliases = PLACE_ALIASES[id] ?? [];
  const name = findPlace(id)?.name ?? "";
  const halves = level === "barrio" || level === "district" ? name.split(/\s*-\s*/) : [name];
  return halves.length > 1 ? [...aliases, ...halves] : aliases;
}

function towns(): NamedPlace[] {
  const taken = new Set(
    [...allPlaces()].flatMap(({ level, path }) => (level === "municipality" ? path : [])),
  );
  return KNOWN_TOWNS.filter(({ path }) => !taken.has(path[0] ?? "")).map(({ slug, name, path, provinceId }) =>
    named(
      { type: "unlisted-place", path },
      {
        name,
        scope: `${provinceId}-${slug}`,
        level: "municipality",
        also: name.includes("/") ? name.split(/\s*\/\s*/) : [],
        around: provincesOf([provinceId]),
        island: islandOfTown(provinceId, slug)?.slug,
      },
    ),
  );
}

function islands(): NamedPlace[] {
  return ISLANDS.map(({ name, slug, path, provinceId }) =>
    named(
      { type: "unlisted-place", path },
      {
        name,
        scope: `${provinceId}-${slug}-island`,
        level: "island",
        also: [],
        around: provincesOf([provinceId]),
      },
    ),
  );
}

/** A region also leads to its provinces, which every source of listings can search. */
function regions(): NamedPlace[] {
  return REGION_SEARCHES.map(({ slug, name }) =>
    named(
      { type: "point-of-interest", slug },
      { name, scope: slug, level: "region", also: [slug], around: [] },
    ),
  );
}

function provincesOf(ids: readonly string[]): Place[] {
  return ids.flatMap((id) => findPlace(id) ?? []);
}

interface Given {
  name: string;
  scope: string;
  level: (typeof ORDER)[number];
  also: readonly string[];
  around: readonly Place[];
  island?: string | undefined;
}

/** A part of a place that has no such part of its own: "Teneriffa Süd", "Málaga centro". */
const PARTS = foldedWords(
  "norte nord north север sur süd sud south юг este ost est east восток oeste west ouest запад " +
    "centro zentrum centre center центр",
);

function named(where: KnownWhere, { name, scope, level, also, around, island }: Given): NamedPlace {
  const key = placeKeyOf(where) ?? "";
  const own = [name, ...also, ...listed(SPOKEN_NAMES[key]), ...regionNamesOf(scope, level)];
  return {
    where,
    name,
    scope,
    order: ORDER.indexOf(level),
    level,
    names: [
      ...own.map((one) => ({ ...namedOf(foldedWords(one)), isInside: false })),
      ...listed(NAMES_INSIDE[key]).map((one) => ({ ...namedOf(foldedWords(one)), isInside: true })),
    ],
    around: new Set(
      [
        ...around.flatMap(spellingsOf),
        ...ISLANDS.filter(({ slug }) => slug === island).flatMap(spellingsOfIsland),
        ...PARTS,
      ].flatMap(({ text, sound }) => [text, sound]),
    ),
  };
}

/** A province is also found by the name of its region. */
function regionNamesOf(scope: string, level: Given["level"]): readonly string[] {
  if (level !== "province") return [];
  const region = REGION_SEARCHES.find(({ provinceIds }) => provinceIds.includes(scope));
  return region === undefined
    ? []
    : [region.name, region.slug, ...listed(SPOKEN_NAMES[`${region.slug}_geo`])];
}

function spellingsOf({ id, name, level }: Place): readonly FoldedWord[] {
  const key = placeKeyOf({ type: "place", placeId: id }) ?? "";
  const names = [
    name,
    ...(PLACE_ALIASES[id] ?? []),
    ...listed(SPOKEN_NAMES[key]),
    ...listed(NAMES_INSIDE[key]),
    ...regionNamesOf(id, level),
  ];
  return names.flatMap(foldedWords);
}

function spellingsOfIsland({ name, path }: Island): readonly FoldedWord[] {
  const key = placeKeyOf({ type: "unlisted-place", path }) ?? "";
  return [name, ...listed(SPOKEN_NAMES[key])].flatMap(foldedWords);
}

function listed(names: string | undefined): readonly string[] {
  return names === undefined || names === "" ? [] : names.split(" | ");
}
