// Streets while the settings of the installation cannot be loaded.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MAP_TILES_PATH } from "#core/map/map-tiles.ts";
import { Answerer } from "../../testing/answerer.ts";
import { holdTime, pass } from "../../testing/open-page.tsx";
import { STORED } from "../../testing/stored-rows.ts";
import type { MapContents } from "./map-contents.ts";
import { createStreetLayer, type StreetsState } from "./street-layer.ts";

beforeEach(holdTime);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("CALM-01 a map that is opened without a connection has its streets once the line is back", async () => {
  const answerer = new Answerer({
    "config.json": () => ({ ...(STORED["config.json"]?.() as object), hasMapTiles: true }),
    [MAP_TILES_PATH.slice(1).replaceAll("/", " ")]: () => ({
      ...{ kind: "tiles", url: "https://tiles.example/{z}/{x}/{y}", minZoom: 0, maxZoom: 14 },
      attribution: "Streets by Example",
    }),
  });
  vi.stubGlobal("fetch", answerer.fetch);
  const states: StreetsState[] = [];
  const contents = { palette: { sea: "#000", tiles: { ground: "#111" } }, model: { zones: [] } };
  const streets = createStreetLayer(contents as unknown as MapContents, (state) => states.push(state));
  answerer.fail("config.json", "nothing");
  const starting = streets.start();
  starting.catch(() => undefined);
  await pass(20_000);
  expect(states).toEqual([]);
  answerer.recover();
  await pass(120_000);
  await starting;
  expect(states.at(-1)?.attribution).toBe("Streets by Example");
  streets.dispose();
});
