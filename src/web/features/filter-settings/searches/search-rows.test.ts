import { expect, test } from "vitest";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { testWords } from "#web/lib/i18n/test-words.ts";
import { sameSearchOf, withSearch } from "./search-rows.ts";

const SITE = "https://www.idealista.com/";

function search(id: string, url: string, name: string | null = null): SavedSearch {
  return {
    id,
    url,
    name,
    ids: ["1"],
    isPaused: false,
    quietFrom: null,
    quietUntil: null,
    rules: [],
    storedRules: [],
    isFolded: false,
    isFirst: id === "a",
    createdAt: "2026-11-10T13:00:00Z",
  };
}

const A = search("a", `${SITE}alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,ascensor/`);
const B = search("b", `${SITE}alquiler-viviendas/getafe-madrid/`, "South");

test.each([
  ["the same link", A.url],
  ["another language", `${SITE}en/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,ascensor/`],
  [
    "another order",
    `${SITE}alquiler-viviendas/madrid/chamberi/con-ascensor,precio-hasta_1500/?utm_source=app`,
  ],
  ["a text around it", `Look: ${A.url}pagina-2.htm`],
])("MANY-01 %s asks for the same", (_, url) => {
  expect(sameSearchOf(url, [B, A])?.id).toBe("a");
});

test.each([
  ["another price", `${SITE}alquiler-viviendas/madrid/chamberi/con-precio-hasta_1600,ascensor/`],
  ["no search", "nothing"],
  ["nothing", ""],
])("MANY-01 %s asks for something else", (_, url) => {
  expect(sameSearchOf(url, [A, B])).toBeUndefined();
});

test("MANY-01 a search is called by its name, otherwise by its place or its link", () => {
  expect(searchNameOf(B, testWords("search", "en"), [A, B])).toBe("South");
  expect(searchNameOf(A, testWords("search", "de"), undefined)).toBe("Chamberí, Madrid");
  expect(searchNameOf(search("c", "https://example.com/"), testWords("search", "en"), [])).toBe(
    "https://example.com/",
  );
});

test("a saved search replaces its row, or is added at the end", () => {
  expect(withSearch([A, B], { ...A, name: "North" }).map(({ name }) => name)).toEqual(["North", "South"]);
  expect(withSearch([A], B)).toEqual([A, B]);
});
