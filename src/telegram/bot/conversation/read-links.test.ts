import { expect, test } from "vitest";
import { LINK, PASTED_FORMS } from "#test/fixtures/pasted-links.ts";
import { readLinks } from "./read-links.ts";

const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/";
const read = (text: string, entities?: unknown) => {
  const { links, refusal } = readLinks({ text, entities });
  return [...links.map((link) => (link.is === "listing" ? link.propertyCode : link.search.kind)), refusal];
};

test.each([
  ["https://www.idealista.com/inmueble/104567890/", "104567890"],
  ["https://www.idealista.com/de/inmueble/104567890/foto/3/?xts=1#x", "104567890"],
  ["Mira este piso\nhttps://m.idealista.com/inmueble/104567890/", "104567890"],
  ["(idealista.com/inmueble/104567890).", "104567890"],
  ["https://www.idealista.com/inmueble/0/", "one-listing"],
  ["https://www.idealista.com/inmueble/12345678901234567890/", "one-listing"],
  ["https://www.idealista.com/inmueble/104'--/", "one-listing"],
  ["https://idealista.com.evil.example/inmueble/104567890/", "other-site"],
  ["https://www.idealista.com@evil.example/inmueble/104567890/", "unsafe-url"],
  ["https://www.idealista.it/immobile/104567890/", "other-country"],
])("MANY-03 %s is read as %s", (text, answer) => {
  expect(read(text).find((part) => part !== undefined)).toBe(answer);
});

test("MANY-03 a link broken over two lines is recognised as broken, and plain words are not links", () => {
  expect(read("https://www.idealista.com/alquiler-viviendas/madrid/cham\nberi/con-ascensor/")).toEqual([
    "split-link",
  ]);
  expect(read("I look on Idealista, you know")).toEqual([undefined]);
  expect(read(`${SEARCH}\nberi`)).toEqual(["homes", undefined]);
});

test("MANY-03 links in entities are read, and malformed entities are ignored", () => {
  expect(read("fotocasa.es/x", [{ type: "url", offset: 0, length: 13 }])).toEqual(["other-site"]);
  expect(read("here", [{ type: "text_link", offset: 0, length: 4, url: SEARCH }])).toEqual([
    "homes",
    undefined,
  ]);
  for (const entities of [7, "x", {}, [null, 1, { type: "url" }, { type: "text_link", url: 5 }], [[]]]) {
    expect(read("hola", entities)).toEqual([undefined]);
  }
});

test.each(PASTED_FORMS)(
  "LAST-08 the chat understands %s as the page does, alone and in a sentence",
  (pasted) => {
    for (const text of [pasted, `Hola, mira: ${pasted} ¿qué te parece?`, `1. ${pasted}\n2. ${pasted}`]) {
      const urls = readLinks({ text }).links.map(({ url }) => url.replace(/\.com\/(?:es|zh|pt)\//, ".com/"));
      expect(urls).toEqual([`${LINK}?ordenado-por=fecha-publicacion-desc`]);
    }
  },
);
