/** Measures the parsing of pasted text, and the worst case of 2,048 characters. */

import { LANGUAGES } from "#core/languages.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { FILTER_WORD_CASES } from "#test/fixtures/search-urls.ts";
import { describeSearch } from "#text/describe-search.ts";
import { wordsOf } from "#text/translator.ts";

const SITE = "https://www.idealista.com/";
const LENGTH = 2048;
const ROUNDS = 200;

const shape = encodeURIComponent(`((_seuF~tlU${"oAgE?nAgEoA".repeat(40)}))`);
const fill = (head: string, filler: string) => (head + filler.repeat(LENGTH)).slice(0, LENGTH);
const cases: Record<string, readonly string[]> = {
  "filter searches": FILTER_WORD_CASES.map(([path]) => SITE + path),
  "share text": [
    `Mira qué piso he encontrado 👉 ${SITE}alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,ascensor/ ¡date prisa!`,
  ],
  "a drawing of 120 corners": [`${SITE}areas/venta-viviendas/con-precio-hasta_300000/?shape=${shape}`],
  "2,048 of (": [fill(`${SITE}areas/venta-viviendas/?shape=`, "(")],
  "2,048 of %28": [fill(`${SITE}areas/venta-viviendas/?shape=`, "%28")],
  "2,048 of a-": [fill(`${SITE}venta-viviendas/`, "a-")],
  "2,048 of unknown words": [fill(`${SITE}venta-viviendas/madrid-madrid/con-`, "z1,z2_3,")],
  "2,048 of links": [fill("", `${SITE}a `)],
  "2,048 of line breaks": [fill("x", "\n")],
};

console.table(
  Object.entries(cases).map(([name, texts]) => {
    const micros = texts.flatMap((text) => times(() => parseSearchUrl(text)));
    return { name, ...summary(micros) };
  }),
);

const parsed = parseSearchUrl(
  `${SITE}alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,de-dos-dormitorios,ascensor/`,
);
if (parsed.ok) {
  const micros = LANGUAGES.flatMap((language) =>
    times(() => describeSearch(parsed.search, wordsOf("search", language))),
  );
  console.table([{ name: "describe", ...summary(micros) }]);
}

function times(work: () => unknown): number[] {
  for (let i = 0; i < ROUNDS / 4; i++) work();
  return Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    work();
    return (performance.now() - from) * 1000;
  });
}

function summary(micros: number[]): Record<string, number> {
  const sorted = micros.sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1));
  return { "median µs": at(0.5), "99% µs": at(0.99), "worst µs": at(1) };
}
