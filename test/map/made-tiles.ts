// A small set of vector tiles in the OpenMapTiles schema, made of our zones of Madrid: their borders are its streets.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import GeoJsonTiles from "geojson-vt";
import { zxyToTileId } from "pmtiles";
import encoder from "vt-pbf";
import type { Point } from "#core/geo/polyline.ts";
import { zonesOf } from "#core/zones/city-shapes.ts";
import { MADRID } from "#core/zones/madrid.ts";

export const MADE_ATTRIBUTION = "© OpenMapTiles © OpenStreetMap contributors";
const ATTRIBUTION_HTML =
  '<a href="https://openmaptiles.org/">&copy; OpenMapTiles</a> <a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap contributors</a>';
const MAX_ZOOM = 12;
const MADE_LAYERS = ["transportation", "water", "place", "poi", "park"].map((id) => ({
  id,
  fields: {},
}));

interface MadeTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bytes: Uint8Array;
}

let made: readonly MadeTile[] | undefined;

/** All tiles from zoom 0 on that hold something. */
function madeTiles(): readonly MadeTile[] {
  made ??= makeTiles();
  return made;
}

function makeTiles(): MadeTile[] {
  const layers = Object.entries(features()).map(
    ([name, list]) =>
      [
        name,
        new GeoJsonTiles({ type: "FeatureCollection", features: list } as never, { maxZoom: MAX_ZOOM }),
      ] as const,
  );
  const tiles: MadeTile[] = [];
  const add = (z: number, x: number, y: number) => {
    const found = layers.flatMap(([name, index]) => {
      const tile = index.getTile(z, x, y);
      return tile ? [[name, tile] as const] : [];
    });
    if (found.length === 0) return;
    tiles.push({ z, x, y, bytes: encoder.fromGeojsonVt(Object.fromEntries(found), { version: 2 }) });
    if (z === MAX_ZOOM) return;
    for (const [right, down] of [0, 1, 2, 3].map((part) => [part % 2, Math.floor(part / 2)] as const)) {
      add(z + 1, x * 2 + right, y * 2 + down);
    }
  };
  add(0, 0, 0);
  return tiles;
}

function features(): Record<string, object[]> {
  const zones = zonesOf(MADRID);
  const sol = { latitude: 40.4169, longitude: -3.7033 };
  return {
    transportation: zones.map(({ ring }) =>
      feature("LineString", [...ring, ...ring.slice(0, 1)].map(pair), { class: "primary" }),
    ),
    place: [feature("Point", pair(sol), { class: "city", name: "Madrid", rank: 1 })],
    poi: [feature("Point", pair(sol), { class: "railway", subclass: "subway", name: "Sol" })],
    water: [feature("Polygon", [square(40.418, -3.7085).map(pair)], { class: "lake" })],
  };
}

const pair = ({ latitude, longitude }: Point) => [longitude, latitude];

const square = (latitude: number, longitude: number): Point[] =>
  [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ].map(([up = 0, right = 0]) => ({ latitude: latitude + up * 0.003, longitude: longitude + right * 0.004 }));

const feature = (type: string, coordinates: unknown, properties: object) => ({
  type: "Feature",
  geometry: { type, coordinates },
  properties,
});

export function madeTileJson(origin: string): Record<string, unknown> {
  return {
    tilejson: "3.0.0",
    name: "Made of zones",
    tiles: [`${origin}/tiles/{z}/{x}/{y}.pbf`],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    attribution: ATTRIBUTION_HTML,
    vector_layers: MADE_LAYERS,
  };
}

export interface TileHost {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly referrer: string | undefined;
    readonly cookie: string | undefined;
  }[];
  /** How tiles are answered from now on. */
  mode: "fine" | "down" | "slow";
  close(): Promise<void>;
}

/** A tile server on another origin. While it is slow, it holds its answers back. */
export async function startTileHost(): Promise<TileHost> {
  const byPath = new Map(madeTiles().map(({ z, x, y, bytes }) => [`/tiles/${z}/${x}/${y}.pbf`, bytes]));
  const requests: TileHost["requests"] = [];
  const server = createServer(({ method, url: path = "", headers }, answer) => {
    answer.setHeader("access-control-allow-origin", "*");
    // Tests send a header of their own with every request, and the browser asks whether it may.
    answer.setHeader("access-control-allow-headers", "*");
    if (method === "OPTIONS") return answer.writeHead(204).end();
    requests.push({ path, referrer: headers.referer, cookie: headers.cookie });
    if (path === "/planet") return answer.end(JSON.stringify(madeTileJson(url)));
    if (host.mode === "slow") return;
    if (host.mode === "down") return answer.writeHead(503).end();
    const bytes = byPath.get(path);
    return bytes ? answer.writeHead(200).end(bytes) : answer.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host: TileHost = {
    url,
    requests,
    mode: "fine",
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return host;
}

const UNCOMPRESSED = 1;
const MVT = 1;
const HEADER_BYTES = 127;

/** The tiles as one archive. https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
export function madeArchive(
  metadata: object = { attribution: ATTRIBUTION_HTML, vector_layers: MADE_LAYERS },
): Buffer {
  const tiles = madeTiles()
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes }))
    .toSorted((one, other) => one.id - other.id);
  const directory = Buffer.from([
    ...varint(tiles.length),
    ...tiles.flatMap(({ id }, index) => varint(id - (tiles[index - 1]?.id ?? 0))),
    ...tiles.flatMap(() => varint(1)),
    ...tiles.flatMap(({ bytes }) => varint(bytes.length)),
    // The first begins at 0, the others after the one before.
    ...tiles.flatMap((_, index) => varint(index === 0 ? 1 : 0)),
  ]);
  const json = Buffer.from(JSON.stringify(metadata));
  const tileBytes = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles", "latin1");
  header.writeUInt8(3, 7);
  const parts = [
    [HEADER_BYTES, directory.length],
    [HEADER_BYTES + directory.length, json.length],
    [HEADER_BYTES + directory.length + json.length, 0],
    [HEADER_BYTES + directory.length + json.length, tileBytes.length],
    // How many tiles are addressed, listed and stored.
    [tiles.length, tiles.length],
  ];
  for (const [index, [offset = 0, length = 0]] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16);
  }
  header.writeBigUInt64LE(BigInt(tiles.length), 88);
  header.set([1, UNCOMPRESSED, UNCOMPRESSED, MVT, 0, MAX_ZOOM], 96);
  return Buffer.concat([header, directory, json, tileBytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}
