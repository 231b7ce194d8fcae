import { z } from "zod";
import type { MapTiles } from "#core/map/map-tiles.ts";

/** Layers that every tile set of the OpenMapTiles schema has, under these names and no others. */
const SCHEMA_LAYERS = ["transportation", "water", "place"];
const NOT_THE_SCHEMA = `is not in the OpenMapTiles schema: it lacks one of the layers ${SCHEMA_LAYERS.join(", ")}`;
const DEEPEST_ZOOM = 22;

const zoom = z.number().int().min(0).max(DEEPEST_ZOOM);

/** The layers of a tile set, as TileJSON and the metadata of PMTiles name them. */
export const vectorLayers = z
  .array(z.object({ id: z.string().max(100) }))
  .max(200)
  .refine((layers) => SCHEMA_LAYERS.every((id) => layers.some((layer) => layer.id === id)), NOT_THE_SCHEMA);

/** https://github.com/mapbox/tilejson-spec/tree/master/3.0.0. Fields that we do not use are ignored. */
const tileJson = z.object({
  tilejson: z.string().regex(/^[23]\.\d+\.\d+$/, "has a version of TileJSON that we cannot read"),
  tiles: z.array(z.string().max(2_000)).min(1, "names no tiles").max(20),
  minzoom: zoom.default(0),
  maxzoom: zoom.default(14),
  scheme: z.literal("xyz", "counts tiles from the south").default("xyz"),
  attribution: z.string().max(2_000).default(""),
  vector_layers: vectorLayers,
});

export type ParsedTiles = { ok: true; tiles: MapTiles } | { ok: false; why: string };

/** Reads the answer of MAP_TILES_URL. Tiles may come from that origin only. */
export function parseTileJson(text: string, from: string): ParsedTiles {
  const parsed = tileJson.safeParse(jsonOf(text));
  if (!parsed.success) return { ok: false, why: whyNot(parsed.error) };
  const { tiles, minzoom, maxzoom, attribution } = parsed.data;
  if (minzoom > maxzoom) return { ok: false, why: "names a minzoom above its maxzoom" };
  const { origin } = new URL(from);
  if (!tiles.every((template) => originOf(template) === origin))
    return { ok: false, why: "names tiles of another host, which browsers may not load" };
  const [url = ""] = tiles;
  if (!["{z}", "{x}", "{y}"].every((part) => url.split(part).length === 2))
    return { ok: false, why: "names tiles without {z}, {x} and {y}" };
  return {
    ok: true,
    tiles: {
      kind: "tiles",
      url,
      minZoom: minzoom,
      maxZoom: maxzoom,
      attribution: attributionOf(attribution),
    },
  };
}

/** The reason of the first mistake: our own, or the name of the field. */
export function whyNot(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue?.code === "custom" || /^[a-z]+ [a-z]/.test(issue?.message ?? "")) return issue?.message ?? "";
  if (issue?.path[0] === "vector_layers") return NOT_THE_SCHEMA;
  return issue?.path[0] === undefined ? "is not TileJSON" : `has a wrong ${String(issue.path[0])}`;
}

function originOf(template: string): string | undefined {
  const url = URL.parse(template);
  return url && url.username === "" && url.password === "" ? url.origin : undefined;
}

/** The words of an attribution, which comes as HTML with links. Tiles of this schema that name nobody are OpenStreetMap's too. */
export function attributionOf(html: string): string {
  return plainTextOf(html) || "© OpenStreetMap contributors";
}

function plainTextOf(html: string): string {
  const entities: Record<string, string> = { amp: "&", copy: "©", lt: "<", gt: ">", quot: '"', nbsp: " " };
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
