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

test("MAIL-10 the plan names what is left, where it goes, whom each feed serves and who costs much", () => {
  const text = describePlan({
    ...subject,
    official: { monthlyRequests: 1_000, used: 200 },
    requestsPerCheck: new Map([[MADRID, 1.34]]),
  });
  expect(text.split("\n")).toEqual([
    "Official API: 2 feeds, NOT every 600 s: every 10800 s",
    "  this month: 1000 requests, 200 used, 800 left",
    "  of these: 534 for rounds, 4 for first checks, no deep readings, 80 kept for newcomers",
    `  ${MADRID}: 2 searches of 4 people, 1.3 requests a check`,
    "  official rent homes 0-EU-ES-41: 1 searches of 1 people, 2 requests a check, COSTS MUCH and serves one person",
    "By URL: not configured",
    "Demo: a feed of its own while it keeps nobody waiting, 2 requests a check; else none",
    "No source: 1 searches of 2 people",
    "No search: 1 links",
  ]);
});

test("with enough requests the interval is the one asked for, and a feed's own cost counts", () => {
  const text = describePlan({
    ...subject,
    demoUrl: `${SITE}/venta-viviendas/madrid/centro/`,
    official: { monthlyRequests: 100_000, used: 0 },
    byUrl: { monthlyRequests: null, used: 0 },
    requestsPerCheck: new Map([[MADRID, 1]]),
  });
  expect(text).toContain("Official API: 2 feeds, every 600 s");
  expect(text).toContain("1000 for deep readings");
  expect(text).toContain("By URL: 1 feeds, every 600 s\n  no limit of requests");
  expect(text).toContain(`Demo: inside ${MADRID}, no request of its own`);
  expect(text).not.toContain("No source");
});

test("MAIL-09 a spent month is said to be spent", () => {
  const text = describePlan({ ...subject, official: { monthlyRequests: 100, used: 100 } });
  expect(text).toContain("this month: 100 requests, 100 used, 0 left: SPENT");
});
