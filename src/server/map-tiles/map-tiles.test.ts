import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  MADE_ATTRIBUTION,
  madeArchive,
  madeTileJson,
  startTileHost,
  type TileHost,
} from "#test/map/made-tiles.ts";
import { checkMapTiles } from "../doctor/check-map-tiles.ts";
import { contentSecurityPolicy } from "../http/security-headers.ts";
import { createMapTiles } from "./map-tiles.ts";
import { parseTileJson } from "./parse-tile-json.ts";

let folder: string;
let host: TileHost;
const warnings: string[] = [];
const logger = { warn: (_: object, words: string) => void warnings.push(words) } as never;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-tiles-"));
  host = await startTileHost();
});

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, `${name}.pmtiles`);
  await writeFile(path, bytes);
  return path;
}

describe("TileJSON", () => {
  const ORIGIN = "https://tiles.example";
  const parse = (changes: object) =>
    parseTileJson(JSON.stringify({ ...madeTileJson(ORIGIN), ...changes }), `${ORIGIN}/planet`);

  test("MAP-02 tiles of the configured host are accepted, and the attribution becomes plain text", () => {
    expect(parse({})).toEqual({
      ok: true,
      tiles: {
        kind: "tiles",
        url: `${ORIGIN}/tiles/{z}/{x}/{y}.pbf`,
        minZoom: 0,
        maxZoom: 12,
        attribution: MADE_ATTRIBUTION,
      },
    });
  });

  test.each([
    ["another host", { tiles: ["https://other.example/{z}/{x}/{y}"] }, /another host/],
    [
      "a second host beside the configured one",
      { tiles: [`${ORIGIN}/{z}/{x}/{y}`, "https://b.example/{z}/{x}/{y}"] },
      /another host/,
    ],
    ["the same host without encryption", { tiles: ["http://tiles.example/{z}/{x}/{y}"] }, /another host/],
    ["a password", { tiles: ["https://a:b@tiles.example/{z}/{x}/{y}"] }, /another host/],
    ["a script", { tiles: ["javascript:alert(1)//{z}/{x}/{y}"] }, /another host/],
    ["a template without places", { tiles: [`${ORIGIN}/{z}/{x}`] }, /without \{z\}/],
    ["no tiles", { tiles: [] }, /names no tiles/],
    ["tiles counted from the south", { scheme: "tms" }, /from the south/],
    ["an unknown version", { tilejson: "9.0.0" }, /version of TileJSON/],
    ["a zoom that is text", { maxzoom: "14" }, /wrong maxzoom/],
    ["zooms in reverse", { minzoom: 13 }, /above its maxzoom/],
    [
      "layers of another schema",
      { vector_layers: [{ id: "roads" }, { id: "earth" }] },
      /OpenMapTiles schema/,
    ],
    ["no layers", { vector_layers: undefined }, /OpenMapTiles schema/],
  ])("MAP-02 %s is refused", (_, changes, why) => {
    expect(parse(changes)).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  test("MAP-02 tiles that name no source are attributed to OpenStreetMap", () => {
    for (const attribution of [undefined, "", "<a href='x'></a>"]) {
      expect(parse({ attribution })).toMatchObject({
        tiles: { attribution: "© OpenStreetMap contributors" },
      });
    }
  });

  test("MAP-02 text that is no JSON is refused", () => {
    expect(parseTileJson("<html>", ORIGIN)).toEqual({ ok: false, why: "is not TileJSON" });
  });
});

test("MAP-02 the policy of a page allows the tile host's origin and no other", () => {
  const page = { html: "", siteUrl: "https://sereno.example", supabaseUrl: undefined };
  const connect = (policy: string) => /connect-src ([^;]*)/.exec(policy)?.[1];
  expect(connect(contentSecurityPolicy(page))).toBe("'self' wss://sereno.example");
  expect(
    connect(contentSecurityPolicy({ ...page, mapTilesUrl: "https://tiles.example:8443/planet?x=1" })),
  ).toBe("'self' wss://sereno.example https://tiles.example:8443");
});

test("MAP-02 an archive is served in single ranges up to a size, within a limit per address", async () => {
  const bytes = Buffer.concat([madeArchive(), Buffer.alloc(4_000_000)]);
  const path = await fileOf("large", bytes);
  const nowMs = 0;
  const tiles = await createMapTiles({ kind: "file", path }, { logger, now: () => nowMs });
  const ask = (range: string | undefined, address = "192.0.2.1") =>
    tiles.serveRange({ range, isHead: false, address });
  expect(await (await tiles.describe()).json()).toMatchObject({ kind: "archive", url: "/map-tiles.pmtiles" });

  const first = await ask("bytes=0-126");
  expect([first.status, first.headers.get("content-range")]).toEqual([206, `bytes 0-126/${bytes.length}`]);
  expect(Buffer.from(await first.arrayBuffer())).toEqual(bytes.subarray(0, 127));
  const last = await ask(`bytes=${bytes.length - 10}-${bytes.length + 10}`);
  expect((await last.arrayBuffer()).byteLength).toBe(10);
  const refused = [
    undefined,
    "bytes=0-",
    "bytes=-5",
    "bytes=0-1,5-6",
    "bytes=9-3",
    "bytes=0-2097152",
    "lines=0-1",
  ];
  for (const range of [...refused, `bytes=${bytes.length}-${bytes.length + 1}`]) {
    expect([range, (await ask(range)).status]).toEqual([range, 416]);
  }
  const head = await tiles.serveRange({ range: undefined, isHead: true, address: "192.0.2.1" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);

  const statuses: number[] = [];
  for (let count = 0; count < 40; count += 1)
    statuses.push((await ask("bytes=0-2097151", "192.0.2.2")).status);
  expect(statuses.indexOf(429)).toBe(37);
  expect((await ask("bytes=0-9", "192.0.2.3")).status).toBe(206);
  await tiles.close();
});

test("MAP-02 MAP-03 a tile server that fails is asked again after half a minute, and meanwhile by nobody", async () => {
  let nowMs = 0;
  const warned: object[] = [];
  const server = await startTileHost();
  await server.close();
  const tiles = await createMapTiles(
    { kind: "url", url: `${server.url}/planet` },
    { logger: { warn: (facts: object) => void warned.push(facts) } as never, now: () => nowMs },
  );
  const statuses = await Promise.all([tiles.describe(), tiles.describe()]);
  expect(statuses.map(({ status }) => status)).toEqual([503, 503]);
  nowMs = 29_000;
  await tiles.describe();
  expect(warned).toHaveLength(1);
  nowMs = 31_000;
  await tiles.describe();
  expect(warned).toHaveLength(2);
});

test("MAP-02 the doctor tries both sources, and refuses another schema in one sentence", async () => {
  const own = { attribution: "", vector_layers: [{ id: "roads" }, { id: "places" }] };
  const check = async (settings: Parameters<typeof checkMapTiles>[0]) => {
    const { state, words } = await checkMapTiles(settings);
    return `${state}: ${words}`;
  };
  expect(await check({})).toBe("not set: the map shows areas without streets");
  expect(await check({ MAP_TILES_FILE: await fileOf("fine", madeArchive()) })).toBe(
    "ok: a file of 1 MB with tiles up to zoom 12",
  );
  expect(await check({ MAP_TILES_FILE: await fileOf("other", madeArchive(own)) })).toBe(
    "wrong: MAP_TILES_FILE is not in the OpenMapTiles schema: it lacks one of the layers transportation, water, place",
  );
  expect(await check({ MAP_TILES_FILE: await fileOf("text", Buffer.from("no tiles")) })).toBe(
    "wrong: MAP_TILES_FILE is not a PMTiles archive of version 3",
  );
  expect(await check({ MAP_TILES_FILE: join(folder, "missing.pmtiles") })).toMatch(
    /^wrong: .* cannot be read/,
  );
  expect(await check({ MAP_TILES_URL: `${host.url}/planet` })).toMatch(/^ok: 127\.0\.0\.1:\d+ sends tiles/);
  expect(await check({ MAP_TILES_URL: `${host.url}/other` })).toBe("wrong: MAP_TILES_URL answers 204");
  host.mode = "down";
  expect(await check({ MAP_TILES_URL: `${host.url}/planet` })).toMatch(/does not send the one with Madrid/);
  host.mode = "fine";
  expect(await check({ MAP_TILES_URL: "http://127.0.0.1:9/planet" })).toMatch(/^wrong: .* cannot be reached/);
});

test("MAP-02 a file of another schema is not served", async () => {
  const path = await fileOf("refused", madeArchive({ vector_layers: [] }));
  const tiles = await createMapTiles({ kind: "file", path }, { logger, now: () => 0 });
  expect((await tiles.describe()).status).toBe(503);
  expect((await tiles.serveRange({ range: "bytes=0-9", isHead: false, address: "a" })).status).toBe(404);
  expect(warnings).toContain("MAP_TILES_FILE is not used");
  await tiles.close();
});
