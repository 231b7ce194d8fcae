import { parseShape } from "../../geo/drawn-shape.ts";
import { resolvePlacePath } from "../../places/places.ts";
import type { Where } from "../search.ts";
import { FILTER_PREFIX } from "./portal-words.ts";

export type NotASearchPage =
  | "one-listing"
  | "one-development"
  | "agency"
  | "zone-picker"
  | "municipality-list"
  | "map-position"
  | "broken-shape"
  | "broken-path"
  | "no-place"
  | "not-a-search";

export type PathRepair = "letter-case" | "page-number" | "map-view";

export type SearchPage =
  | {
      readonly ok: true;
      readonly category: string;
      readonly where: Where;
      readonly filterWords: readonly string[];
      readonly repairs: readonly PathRepair[];
    }
  | { readonly ok: false; readonly reason: NotASearchPage };

type FoundWhere = { ok: true; where: Where } | { ok: false; reason: NotASearchPage };

const MODES = ["areas", "multi", "geo", "point", "buscar"] as const;
type Mode = (typeof MODES)[number] | "place";

const MOST_PLACE_SEGMENTS = 4;
const VIEWS = ["mapa", "mapa-google", "municipios"];
const PLACE_SEGMENT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const FILTER_WORD = /^[a-z0-9][a-z0-9_.-]*$/;
const ZONE_CODE = /^[0-9A-Za-z]{3}$/;
const PAGE_SEGMENT = /^pagina-[0-9]{1,6}(?:\.htm)?$/;

/** Parses the path of a search page, without its language prefix. */
export function readSearchPath(
  segments: readonly string[],
  shapes: readonly string[],
  isCategory: (word: string) => boolean,
): SearchPage {
  const head = segments[0]?.toLowerCase() ?? "";
  const refused = pageThatIsNoSearch(head, segments[1] ?? "");
  if (refused) return { ok: false, reason: refused };
  const mode = MODES.find((known) => known === head) ?? "place";
  const rest = mode === "place" ? segments : segments.slice(1);
  const category = rest[0]?.toLowerCase() ?? "";
  if (!isCategory(category)) return { ok: false, reason: "not-a-search" };

  const { body, repairs, view } = withoutView(rest.slice(1));
  if (view) return { ok: false, reason: view };
  const filterSegments = body.filter((segment) => segment.toLowerCase().startsWith(FILTER_PREFIX));
  const others = body.filter((segment) => !segment.toLowerCase().startsWith(FILTER_PREFIX));
  const filterWords = wordsOf(filterSegments);
  const isMisplaced = mode !== "buscar" && filterSegments.length === 1 && body.at(-1) !== filterSegments[0];
  const isViewMisplaced = others.some((segment) => isView(segment.toLowerCase()));
  if (!filterWords || isMisplaced || isViewMisplaced) return { ok: false, reason: "broken-path" };

  const found = whereOf(mode, others, shapes);
  if (!found.ok) return found;
  const isRespelt = [...segments.slice(0, 2), ...filterSegments].some((text) => text !== text.toLowerCase());
  return {
    ok: true,
    category,
    where: found.where,
    filterWords,
    repairs: isRespelt ? [...repairs, "letter-case"] : repairs,
  };
}

function pageThatIsNoSearch(head: string, next: string): NotASearchPage | undefined {
  if (head === "inmueble") return "one-listing";
  if (head === "obra-nueva" && /^\d+$/.test(next)) return "one-development";
  if (head === "pro") return "agency";
  return undefined;
}

function withoutView(segments: readonly string[]): {
  body: string[];
  repairs: PathRepair[];
  view?: NotASearchPage;
} {
  const body = [...segments];
  const repairs: PathRepair[] = [];
  while (body.length > 0) {
    const last = body.at(-1)?.toLowerCase() ?? "";
    if (last === "mapa") return { body, repairs, view: "zone-picker" };
    if (last === "municipios") return { body, repairs, view: "municipality-list" };
    if (last === "mapa-google") repairs.push("map-view");
    else if (PAGE_SEGMENT.test(last)) repairs.push("page-number");
    else break;
    body.pop();
  }
  return { body, repairs };
}

function wordsOf(filterSegments: readonly string[]): string[] | undefined {
  const [segment] = filterSegments;
  if (segment === undefined) return [];
  const words = segment
    .slice(FILTER_PREFIX.length)
    .toLowerCase()
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return filterSegments.length === 1 && words.every((word) => FILTER_WORD.test(word)) ? words : undefined;
}

function whereOf(mode: Mode, segments: readonly string[], shapes: readonly string[]): FoundWhere {
  switch (mode) {
    case "place":
      return placeWhere(segments);
    case "areas":
      return segments.length === 0 ? drawnWhere(shapes) : { ok: false, reason: "broken-path" };
    case "point":
      return shapes.length > 0 ? drawnWhere(shapes) : { ok: false, reason: "map-position" };
    case "multi":
      return zonesWhere(segments);
    case "geo":
      return pointOfInterestWhere(segments);
    case "buscar":
      return textWhere(segments);
  }
}

function placeWhere(segments: readonly string[]): FoundWhere {
  if (segments.length === 0) return { ok: false, reason: "no-place" };
  const path = segments.map((segment) => segment.toLowerCase());
  if (!isPlacePath(path)) return { ok: false, reason: "broken-path" };
  const resolved = resolvePlacePath(path);
  const where: Where = resolved.ok
    ? { type: "place", placeId: resolved.place.id }
    : { type: "unlisted-place", path };
  return { ok: true, where };
}

function isPlacePath(path: readonly string[]): boolean {
  return path.length <= MOST_PLACE_SEGMENTS && path.every((segment) => PLACE_SEGMENT.test(segment));
}

function drawnWhere(shapes: readonly string[]): FoundWhere {
  const rings = shapes.length === 1 ? parseShape(shapes[0] ?? "") : undefined;
  return rings ? { ok: true, where: { type: "drawn", rings } } : { ok: false, reason: "broken-shape" };
}

function zonesWhere(segments: readonly string[]): FoundWhere {
  const codes = (segments[0] ?? "").split(",").filter((code) => code !== "");
  if (segments.length !== 1 || codes.length === 0 || !codes.every((code) => ZONE_CODE.test(code))) {
    return { ok: false, reason: segments.length === 0 ? "no-place" : "broken-path" };
  }
  return { ok: true, where: { type: "zones", codes: [...new Set(codes)].sort() } };
}

function pointOfInterestWhere(segments: readonly string[]): FoundWhere {
  const slug = segments[0]?.toLowerCase();
  if (slug === undefined) return { ok: false, reason: "no-place" };
  if (segments.length > 1 || !PLACE_SEGMENT.test(slug)) return { ok: false, reason: "broken-path" };
  return { ok: true, where: { type: "point-of-interest", slug } };
}

function textWhere(segments: readonly string[]): FoundWhere {
  const text = segments.at(-1)?.normalize("NFC").trim() ?? "";
  if (text === "") return { ok: false, reason: "no-place" };
  const path = segments.slice(0, -1).map((segment) => segment.toLowerCase());
  if (!isPlacePath(path) || /[\p{Cc}\p{Cs}]/u.test(text)) return { ok: false, reason: "broken-path" };
  return { ok: true, where: { type: "text", text, path } };
}

/** Views select how results are shown. They have a meaning only at the end of the path. */
function isView(segment: string): boolean {
  return PAGE_SEGMENT.test(segment) || VIEWS.includes(segment);
}
