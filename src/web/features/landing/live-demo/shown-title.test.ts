import { expect, test } from "vitest";
import { homeNameOf } from "#core/listing/home-name.ts";
import home from "#text/locales/de/home.json" with { type: "json" };
import landing from "#text/locales/de/landing.json" with { type: "json" };
import { shownListingOf } from "./demo-listing.ts";
import { shownTitle } from "./listing-bubble.tsx";

const now = new Date("2026-11-15T12:00:00Z");
const texts = { ...landing.demo, ago: {}, types: home.types } as unknown as Parameters<typeof shownTitle>[1];
const titled = (details: object) =>
  shownTitle(shownListingOf({ id: "1", created_at: now.toISOString(), details }, now), texts);

test("DEMO-07 a row of our own watcher is titled from its facts, as alerts are", () => {
  const type = homeNameOf({ kind: "homes", typology: "flat", subTypology: "penthouse" });
  expect(titled({ title: "Ático", type, address: "calle de Fuencarral" })).toBe(
    "Penthouse, Calle de Fuencarral",
  );
  expect(titled({ title: "Piso", type: "flat", address: null })).toBe("Wohnung");
});

test("DEMO-07 a row with only a title shows it as stored", () => {
  expect(titled({ title: "Piso en Chamberí", address: "Calle de Fuencarral" })).toBe("Piso en Chamberí");
  expect(titled({ title: "Piso en Chamberí", type: "constructor" })).toBe("Piso en Chamberí");
  expect(titled({})).toBe(landing.demo.title);
});
