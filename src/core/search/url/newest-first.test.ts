import { expect, test } from "vitest";
import { newestFirst } from "./newest-first.ts";

const ORDER = "ordenado-por=fecha-publicacion-desc";

test.each([
  [
    "https://www.idealista.com/venta-viviendas/madrid-madrid/",
    `https://www.idealista.com/venta-viviendas/madrid-madrid/?${ORDER}`,
  ],
  ["https://idealista.com/a/?ordenado-por=precios-asc", `https://idealista.com/a/?${ORDER}`],
  [
    "https://www.idealista.com/areas/a/?shape=%28%28a%29%29&ordenado-por=x&b=1#map",
    `https://www.idealista.com/areas/a/?shape=%28%28a%29%29&b=1&${ORDER}#map`,
  ],
  [`https://www.idealista.com/a/?${ORDER}`, `https://www.idealista.com/a/?${ORDER}`],
])("LINK-01 %s is ordered by date", (link, ordered) => {
  expect(newestFirst(link)).toBe(ordered);
});

test.each([
  [
    "www.idealista.com/venta-viviendas/madrid-madrid/",
    `www.idealista.com/venta-viviendas/madrid-madrid/?${ORDER}`,
  ],
  ["idealista.com/a/?ordenado-por=precios-asc&b=1", `idealista.com/a/?b=1&${ORDER}`],
  ["/idealista.com/a/?b=1&ordenado-por=precios-asc", `/idealista.com/a/?b=1&${ORDER}`],
  ["http://[x/idealista.com/a?ordenado-por=y", `http://[x/idealista.com/a?${ORDER}`],
])("LINK-01 %s, which no parser takes, loses its order and gains this one", (link, ordered) => {
  expect(newestFirst(link)).toBe(ordered);
});

test.each([
  "https://www.idealista.com/inmueble/104046409/",
  "https://www.idealista.com/en/inmueble/104046409/?x=1",
  "www.idealista.com/inmueble/104046409/",
  "https://www.idealista.com/obra-nueva/98765432/",
])("LINK-01 the link to one listing, %s, stays as it is", (link) => {
  expect(newestFirst(link)).toBe(link);
});

test.each([
  "https://evil.com/?u=https://www.idealista.com/",
  "https://notidealista.com/a/",
  "https://www.idealista.com.evil.com/",
  "https://www.idealista.it/a/",
  "not a link",
  "",
])("LINK-01 %j, which is not the portal's, stays as it is", (link) => {
  expect(newestFirst(link)).toBe(link);
});

test("LINK-01 ordering twice changes nothing", () => {
  const once = newestFirst("https://www.idealista.com/a?b=1");
  expect(newestFirst(once)).toBe(once);
});
