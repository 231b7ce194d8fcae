import { expect, test } from "vitest";
import { describePlan, type PlanSubject } from "./describe-plan.ts";

const SITE = "https://www.idealista.com";
const MADRID = "official sale homes 0-EU-ES-28-07-001-079";
const links = [
  { filterUrl: `${SITE}/venta-viviendas/madrid-madrid/`, people: 3 },
  { filterUrl: `${SITE}/venta-viviendas/madrid/retiro/con-precio-hasta_300000/`, people: 1 },
  { filterUrl: `${SITE}/geo/venta-viviendas/metro-sol/`, people: 2 },
  { filterUrl: `${SITE}/alquiler-viviendas/sevilla-sevilla/`, people: 1 },
  { filterUrl: `${SITE}/inmueble/1/`, people: 1 },
];
const subject: PlanSubject = {
  links,
  demoUrl: `${SITE}/alquiler-viviendas/madrid/chamberi/`,
  checkIntervalSeconds: 600,
  pages: { baseline: 4, deep: 20 },
  now: Date.UTC(2026, 3, 11),
};

test("MAIL-10 the plan shows the remaining requests, their use, the searches of each feed and expensive feeds", () => {
  const text = describePlan({
    ...subject,
    official: { monthlyRequests: 1_000, used: 200 },
    requestsPerCheck: new Map([[MADRID, 1.34]]),
  });
  expect(text.split("\n")).toEqual([
    "Official API: 2 feeds, NOT every 600 s: every 10800 s",
    "  this month: 1000 requests, 200 used, 800 left",
    "  of these: 534 for rounds, 4 for first checks, 136 for weekly scans, 80 reserved for newcomers",
    `  ${MADRID}: 2 searches of 4 people, 1.3 requests per check`,
    "  official rent homes 0-EU-ES-41: 1 searches of 1 people, 2 requests per check, EXPENSIVE and serves one person",
    "By URL: not configured",
    "Demo: a feed of its own if that delays nobody, 2 requests per check",
    "No source: 1 searches of 2 people",
    "Not a search: 1 links",
  ]);
});

test("with enough requests the interval is the configured one, and the feed's actual cost counts", () => {
  const text = describePlan({
    ...subject,
    demoUrl: `${SITE}/venta-viviendas/madrid/centro/`,
    official: { monthlyRequests: 100_000, used: 0 },
    byUrl: { monthlyRequests: null, used: 0 },
    requestsPerCheck: new Map([[MADRID, 1]]),
  });
  expect(text).toContain("Official API: 2 feeds, every 600 s");
  expect(text).toContain("1000 for full scans");
  expect(text).toContain("By URL: 1 feeds, every 600 s\n  no request limit");
  expect(text).toContain(`Demo: served by ${MADRID}, no extra requests`);
  expect(text).not.toContain("No source");
});

test("MAIL-09 a spent month is marked as spent", () => {
  const text = describePlan({ ...subject, official: { monthlyRequests: 100, used: 100 } });
  expect(text).toContain("this month: 100 requests, 100 used, 0 left: SPENT");
});
