import { resolve } from "node:path";
import { z } from "zod";

export const mapTilesSchema = {
  MAP_TILES_URL: z
    .url({ protocol: /^https?$/ })
    .refine((text) => hasNoPassword(text), "is sent to browsers, so it must hold no password")
    .optional(),
  MAP_TILES_FILE: z.string().endsWith(".pmtiles", "must be the path of a .pmtiles file").optional(),
};

function hasNoPassword(text: string): boolean {
  const url = URL.parse(text);
  return url?.username === "" && url.password === "";
}

type MapTilesValues = z.infer<z.ZodObject<typeof mapTilesSchema>>;

/** The TileJSON document of a tile server, or a file. */
export type MapTilesSettings = { kind: "url"; url: string } | { kind: "file"; path: string };

export function mapTilesOf(values: MapTilesValues): MapTilesSettings | undefined {
  const { MAP_TILES_URL: url, MAP_TILES_FILE: file } = values;
  if (url !== undefined) return { kind: "url", url };
  return file === undefined ? undefined : { kind: "file", path: resolve(file) };
}
