import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allPlaces } from "#core/places/places.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import { searchFor } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { CATEGORIES, PORTAL_LANGUAGES } from "#core/search/url/portal-words.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

const SITE = "https://www.idealista.com/";
const ORDER = "ordenado-por=fecha-publicacion-desc";
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const checkOf = async (name: string) => {
  const [row] = await database.sql<[{ check: string }]>`
    select pg_get_expr(conbin, conrelid) as check from pg_constraint
    where conrelid = 'public.searches'::regclass and conname = ${name}`;
  return row.check;
};

/** Which URLs the table's constraints accept. */
async function acceptedOf(urls: readonly string[]): Promise<Map<string, boolean>> {
  const checks = await Promise.all(
    ["filter_url_is_of_the_portal", "filter_url_leads_to_a_search"].map(checkOf),
  );
  const rows = await database.sql.unsafe<{ url: string; is_accepted: boolean }[]>(
    `select filter_url as url, (${checks.join(") and (")}) as is_accepted
    from jsonb_array_elements_text($1::text::jsonb) as link (filter_url)`,
    [JSON.stringify([...new Set(urls)])],
  );
  return new Map(rows.map(({ url, is_accepted }) => [url, is_accepted]));
}

/** Names, views, filters, texts and zones, and near misses. */
const segment = fc.oneof(
  fc.constantFrom(
    ..."madrid madrid-madrid chamberi a b-c 7 mapa mapa-google municipios pagina-2 pagina-2.htm pagina-2-x".split(
      " ",
    ),
    ..."pagina-1234567 pagina con con- con-x con-ascensor con-ascensor,zz con-a,,b con-a,-b con-a. con-,a".split(
      " ",
    ),
    ..."MAPA Con-x Pagina-3 Madrid a--b -a a- x_y a1b a1b,ZZ9 a1b,ZZ99 . .. ... %20 a%20 %20a a%20b %2F a%2Fb".split(
      " ",
    ),
    ..."%5C %00 %7F %C2%85 %C2%A0a a%E2%80%8A %C3%A1 %c3%a1 e%CC%81 %ED%A0%80 %C0%80 %F0%9F%8F%A0 %F4%90%80%80".split(
      " ",
    ),
    ..."%zz % %41 %2C , a,b ~ ! ' ( ) * %21 %28bis%29 calle_de_alcal%C3%A1,_5 á ñ".split(" "),
  ),
  fc.stringMatching(/^[a-z0-9-]{1,6}$/),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }).map(encodeURIComponent),
);
const name = fc.constantFrom("madrid", "madrid-madrid", "chamberi", "con-ascensor", "a1b");
const ring = fc.constantFrom(
  "_squFnowU%3FowHowH%3F%3FnwHnwH%3F",
  "_ilvFnvlV_pR%7EoR%7EoR_pR",
  "_squFnowU",
  "aaaaaaaaaA",
  "%28",
);
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("", `?${ORDER}`) },
  { weight: 1, arbitrary: fc.constantFrom("?", `?${ORDER}&a=b`, "?ordenado-por=precios-asc", `?${ORDER}#x`) },
  { weight: 2, arbitrary: ring.map((text) => `?shape=%28%28${text}%29%29&${ORDER}`) },
);
const link = fc
  .record({
    language: fc.option(fc.constantFrom(...PORTAL_LANGUAGES, "xx"), { freq: 3 }),
    mode: fc.constantFrom(
      "",
      "",
      "",
      "multi/",
      "geo/",
      "buscar/",
      "buscar/",
      "areas/",
      "point/",
      "inmueble/",
    ),
    category: fc.constantFrom(
      ...CATEGORIES.slice(0, 4).map(([word]) => word),
      "traspasos",
      "venta-habitacion",
    ),
    segments: fc.array(fc.oneof({ weight: 2, arbitrary: name }, segment), { maxLength: 7 }),
    slash: fc.constantFrom("/", "/", ""),
    query,
  })
  .map(({ language, mode, category, segments, slash, query }) =>
    [
      SITE,
      language === null ? "" : `${language}/`,
      mode,
      [category, ...segments].join("/"),
      slash,
      query,
    ].join(""),
  );

test("the database accepts every URL that the parser writes", async () => {
  const links = fc.sample(link, { numRuns: 6_000, seed: 12 }).filter((url) => !url.includes("\u0000"));
  const written = links
    .map(parseSearchUrl)
    .flatMap((parsed) => (parsed.ok ? [parsed.canonicalUrl, parsed.searchKey] : []));
  const accepted = await acceptedOf(written);
  expect(written.filter((url) => !accepted.get(url))).toEqual([]);
  expect(written.length).toBeGreaterThan(500);
});

test("the database accepts every known place", async () => {
  const links = [...allPlaces()].map(
    ({ id }) => normaliseSearch(searchFor("sale", "homes", { type: "place", placeId: id })).canonicalUrl,
  );
  const accepted = await acceptedOf(links);
  expect(links.filter((url) => !accepted.get(url))).toEqual([]);
});

test("five names in a row are not a place", () => {
  const long = [1, 2, 3, 4, 5, 6].map(
    (names) => `${SITE}venta-viviendas/${Array(names).fill("a").join("/")}/`,
  );
  expect(long.map((url) => parseSearchUrl(url).ok)).toEqual([true, true, true, true, false, false]);
});

test("a URL that fits only without its sort order has the maximum length", async () => {
  const links = [0, 1].map((more) => {
    const name = "a".repeat(2048 - `${SITE}venta-viviendas//?${ORDER}`.length + more);
    return `${SITE}venta-viviendas/${name}/`;
  });
  expect(links.map((url) => parseSearchUrl(url).ok)).toEqual([true, false]);
});
