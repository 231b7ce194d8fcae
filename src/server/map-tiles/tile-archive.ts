// A .pmtiles file of the operator, read by browsers in single ranges.
import { type FileHandle, open } from "node:fs/promises";
import { PMTiles, TileType } from "pmtiles";
import { z } from "zod";
import { TILE_ARCHIVE_PATH } from "#core/map/map-tiles.ts";
import { attributionOf, type ParsedTiles, vectorLayers, whyNot } from "./parse-tile-json.ts";

export type TileArchive = {
  described: ParsedTiles;
  sizeBytes: number;
  etag: string;
  read: (offset: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;
  close: () => Promise<void>;
};

const metadata = z.object({ attribution: z.string().max(2_000).default(""), vector_layers: vectorLayers });

/** Opens the file once: another file at the same path is served after the next start only. */
export async function openTileArchive(path: string): Promise<TileArchive> {
  const file = await open(path);
  const { size, mtimeMs } = await file.stat();
  const read = (offset: number, length: number) => readRange(file, offset, length);
  return {
    described: await describe(read, path),
    sizeBytes: size,
    etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
    read,
    close: () => file.close(),
  };
}

async function readRange(file: FileHandle, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytes.subarray(0, bytesRead);
}

async function describe(read: TileArchive["read"], path: string): Promise<ParsedTiles> {
  const archive = new PMTiles({
    getKey: () => path,
    getBytes: async (offset, length) => ({ data: (await read(offset, length)).slice().buffer }),
  });
  try {
    const { tileType, minZoom, maxZoom } = await archive.getHeader();
    if (tileType !== TileType.Mvt) return { ok: false, why: "holds no vector tiles" };
    const parsed = metadata.safeParse(await archive.getMetadata());
    if (!parsed.success) return { ok: false, why: whyNot(parsed.error) };
    const attribution = attributionOf(parsed.data.attribution);
    return { ok: true, tiles: { kind: "archive", url: TILE_ARCHIVE_PATH, minZoom, maxZoom, attribution } };
  } catch {
    return { ok: false, why: "is not a PMTiles archive of version 3" };
  }
}
