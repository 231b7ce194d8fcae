import { expect, test } from "vitest";
import { describePlan } from "./describe-plan.ts";

const SITE = "https://www.idealista.com";
const links = [
  { filterUrl: `${SITE}/venta-viviendas/madrid-madrid/`, people: 3 },
  { filterUrl: `${SITE}/venta-viviendas/madrid/retiro/con-precio-hasta_300000/`, people: 1 },
  { filterUrl: `${SITE}/geo/venta-viviendas/metro-sol/`, people: 2 },
  { filterUrl: `${SITE}/inmueble/1/`, people: 1 },
];

test("the plan names feeds, whom they serve, their requests and what the budget does not carry", () => {
  expect(describePlan({ links, checkIntervalSeconds: 600, official: 1_000 }).split("\n")).toEqual([
    "Official API: 1 feeds, NOT every 600 s: every 5760 s, about 900 requests a month (budget: 1000 a month)",
    "  official sale homes 0-EU-ES-28-07-001-079: 2 searches of 4 people, 900 requests a month",
    "By URL: not configured",
    "No source: 1 searches of 2 people",
    "No search: 1 links",
  ]);
});

test("with enough requests the interval is the one asked for, and a feed's own cost counts", () => {
  const key = "official sale homes 0-EU-ES-28-07-001-079";
  const text = describePlan({
    links,
    checkIntervalSeconds: 600,
    official: null,
    byUrl: null,
    requestsPerCheck: new Map([[key, 1]]),
  });
  expect(text).toContain("every 600 s, about 4320 requests a month (budget: no limit)");
  expect(text).toContain("By URL: 1 feeds");
  expect(text).not.toContain("No source");
});
