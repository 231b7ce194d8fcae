import { expect, test } from "vitest";
import { LANGUAGES } from "../languages.ts";
import { advertUrlIn } from "./advert-url.ts";

test("RULE-01 an advert of idealista.com opens in the reader's language; Spanish has no prefix", () => {
  const url = "https://www.idealista.com/inmueble/108123456/";
  expect(LANGUAGES.map((language) => [language, advertUrlIn(url, language)])).toEqual([
    ["en", "https://www.idealista.com/en/inmueble/108123456/"],
    ["es", url],
    ["ru", "https://www.idealista.com/ru/inmueble/108123456/"],
    ["de", "https://www.idealista.com/de/inmueble/108123456/"],
    ["fr", "https://www.idealista.com/fr/inmueble/108123456/"],
  ]);
});

test("RULE-01 a prefix of another language is replaced, and the rest of the address is kept", () => {
  const url = "https://www.idealista.com/ca/inmueble/108123456/foto/2/?xtmc=1#video";
  expect(advertUrlIn(url, "de")).toBe("https://www.idealista.com/de/inmueble/108123456/foto/2/?xtmc=1#video");
  expect(advertUrlIn(url, "es")).toBe("https://www.idealista.com/inmueble/108123456/foto/2/?xtmc=1#video");
});

test.each([
  "https://www.idealista.it/immobile/2345/",
  "https://www.idealista.com/obra-nueva/2345/",
  "https://www.idealista.com/alquiler-viviendas/madrid/",
  "https://www.idealista.com.example.org/inmueble/1/",
  "https://example.org/?https://www.idealista.com/inmueble/1/",
  "https://www.fotocasa.es/es/alquiler/vivienda/madrid/1/d",
  "https://www.idealista.com/inmueble/abc/",
])("RULE-01 any other address is not changed: %s", (url) => {
  for (const language of LANGUAGES) expect(advertUrlIn(url, language)).toBe(url);
});
