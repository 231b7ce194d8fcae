import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { type Person, signUp } from "#test/cast.ts";
import { HOSTILE_URLS } from "#test/fixtures/hostile-urls.ts";
import { FILTER_WORD_CASES } from "#test/fixtures/search-urls.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;

const URL_OF_ALICE =
  "https://www.idealista.com/alquiler-viviendas/madrid-madrid/?ordenado-por=fecha-publicacion-desc";

beforeAll(async () => {
  product = await startTestProduct();
  alice = await signUp(product, "alice");
});

afterAll(() => product.stop());

beforeEach(async () => {
  await product.database.sql`truncate public.searches cascade`;
  await save(alice, {});
});

type Filter = { user_id?: string; filter_url?: string; receiver_ids?: unknown };

const save = (person: { client: Person["client"]; id: string }, filter: Filter) =>
  person.client
    .from("filter_settings")
    .upsert(
      { user_id: person.id, filter_url: URL_OF_ALICE, receiver_ids: ["123456789"], ...filter },
      { onConflict: "user_id" },
    );

const stored = () =>
  product.database.sql`select user_id, filter_url, receiver_ids from public.filter_settings`;

test("DATA-01 a person's second save updates the same row", async () => {
  const { error } = await save(alice, { receiver_ids: ["1", "-1001234567890"] });
  expect(error).toBeNull();
  expect(await stored()).toEqual([
    { user_id: alice.id, filter_url: URL_OF_ALICE, receiver_ids: ["1", "-1001234567890"] },
  ]);
});

test("a change updates updated_at, which cannot be set directly", async () => {
  const read = async () =>
    (await alice.client.from("filter_settings").select("created_at, updated_at").single()).data;
  const before = await read();
  await save(alice, { receiver_ids: ["77"] });
  const after = await read();
  expect(after?.created_at).toBe(before?.created_at);
  expect(Date.parse(after?.updated_at)).toBeGreaterThan(Date.parse(before?.updated_at));
  const forged = await alice.client
    .from("filter_settings")
    .update({ updated_at: "2000-01-01" })
    .eq("user_id", alice.id);
  expect(forged.error?.code).toBe("42501");
});

test.each([
  ["another site", "https://example.com/alquiler-viviendas/madrid-madrid/"],
  ["the portal's name in another site's path", "https://example.com/www.idealista.com/"],
  ["the portal's name as a user name", "https://www.idealista.com@example.com/"],
  ["the portal's name as a prefix of another host", "https://www.idealista.com.example.com/"],
  ["a longer name that ends like the portal's", "https://www.evilidealista.com/"],
  ["another country's portal", "https://www.idealista.it/affitto-case/roma-roma/"],
  ["http", "http://www.idealista.com/alquiler-viviendas/madrid-madrid/"],
  ["a port", "https://www.idealista.com:8443/alquiler-viviendas/madrid-madrid/"],
  ["no path", "https://www.idealista.com/"],
  ["a script", "javascript:alert('https://www.idealista.com/')"],
  ["a backslash", "https://www.idealista.com\\@example.com/"],
  ["a line break", "https://www.idealista.com/alquiler\r\nviviendas/"],
  ["a blank", "https://www.idealista.com/alquiler viviendas/"],
  ["nothing", ""],
  ["more than 2,048 characters", `https://www.idealista.com/${"a".repeat(2_048)}`],
])("DATA-03 a filter URL with %s is refused with the constraint's name", async (_, filter_url) => {
  const before = await stored();
  const { error } = await save(alice, { filter_url });
  expect(error).toMatchObject({ code: "23514", details: "filter_url_is_of_the_portal" });
  expect(await stored()).toEqual(before);
});

test.each([
  ["none", []],
  ["letters", ["abc"]],
  ["a name", ["@alice"]],
  ["a blank", [" "]],
  ["an empty one", [""]],
  ["zero", ["0"]],
  ["a plus sign", ["+34600000000"]],
  ["a fraction", ["1.5"]],
  ["two in one", ["1,2"]],
  ["fourteen digits", ["12345678901234"]],
  ["a null among them", ["1", null]],
  ["a line break behind", ["1\n"]],
  ["letters beside digits", ["1'; drop table filter_settings; --"]],
  ["text turned around", ["\u202e123"]],
  ["eleven", Array.from({ length: 11 }, (_, index) => String(index + 1))],
])("DATA-03 chat ids with %s are refused with the constraint's name", async (_, receiver_ids) => {
  const before = await stored();
  const { error } = await save(alice, { receiver_ids });
  expect(error).toMatchObject({ code: "23514", details: "receiver_ids_are_chat_ids" });
  expect(await stored()).toEqual(before);
});

test("DATA-03 a repeated chat is refused with the constraint's name", async () => {
  const before = await stored();
  for (const receiver_ids of [
    ["5", "5"],
    ["5", "6", "5"],
    ["-5", "5", "-5"],
    ["15", "5", "1", "15"],
  ]) {
    const { error } = await save(alice, { receiver_ids });
    expect([receiver_ids, error?.code, error?.details]).toEqual([
      receiver_ids,
      "23514",
      "receiver_ids_are_named_once",
    ]);
  }
  expect(await stored()).toEqual(before);
  expect((await save(alice, { receiver_ids: ["5", "-5", "55", "15", "1"] })).error).toBeNull();
});

/** src/watcher/not-a-search.db.test.ts tests what the watcher does with the others. */
const isOfThePortal = (url: string) =>
  /^https:\/\/www\.idealista\.com\/(?!inmueble\/)[\w.~:/?#@!$&()*+,;=%-]{1,2022}$/.test(url);

test.each(HOSTILE_URLS.filter(([, url]) => !isOfThePortal(url)))(
  "DATA-03 %s is refused by the data API, and nothing is stored",
  async (_, filter_url) => {
    const before = await stored();
    const { error } = await save(alice, { filter_url });
    // Text that PostgreSQL cannot store never reaches a constraint.
    const isText = !filter_url.includes("\0") && filter_url.isWellFormed();
    expect(error?.code).toMatch(isText ? /^23514$/ : /^(22P05|22P02|22021|PGRST102)$/);
    if (error?.code === "23514") expect(error.details).toMatch(/^filter_url_/);
    expect(await stored()).toEqual(before);
  },
);

test.each([
  ["one listing", "https://www.idealista.com/inmueble/98765432/"],
  ["one listing in another language", "https://www.idealista.com/en/inmueble/98765432/"],
])("DATA-03 %s is refused with the constraint's name", async (_, filter_url) => {
  const { error } = await save(alice, { filter_url });
  expect(error).toMatchObject({ code: "23514", details: "filter_url_leads_to_a_search" });
});

async function expectAccepted(pasted: readonly string[]): Promise<void> {
  const refused: string[] = [];
  for (const url of pasted) {
    const parsed = parseSearchUrl(url);
    if (!parsed.ok) continue;
    const { error } = await save(alice, { filter_url: parsed.canonicalUrl });
    if (error) refused.push(`${parsed.canonicalUrl}: ${error.message}`);
  }
  expect(refused).toEqual([]);
}

test("WIZ-09 every URL that the normaliser writes is accepted", async () => {
  const site = "https://www.idealista.com/";
  await expectAccepted([
    ...FILTER_WORD_CASES.map(([path]) => site + path),
    `${site}ru/alquiler-habitacion/madrid/chamberi/trafalgar/`,
    `${site}traspasos/madrid-provincia/`,
    `${site}multi/venta-viviendas/a1b,ZZ9/con-ascensor/`,
    `${site}geo/alquiler-viviendas/metro-sol/`,
    `${site}buscar/venta-viviendas/con-ascensor/madrid/calle_de_alcalá,_5_(bis)/`,
    `${site}areas/venta-viviendas/?shape=((_ilvFnvlV_pR~oR~oR_pR)(_ilvFnvlV_qR~oR~oR_pR))`,
  ]);
});

const REAL_URLS = "../shared/data/portal-urls.json";

test.skipIf(!existsSync(REAL_URLS))(
  "WIZ-09 every real search URL is accepted once normalised (skipped without the data)",
  async () => {
    const cases = JSON.parse(readFileSync(REAL_URLS, "utf8")) as { url: string }[];
    expect(cases.filter(({ url }) => parseSearchUrl(url).ok).length).toBeGreaterThan(150);
    await expectAccepted(cases.map(({ url }) => url));
  },
);

/** Sends the body unchanged, like curl. */
async function post(body: string): Promise<number> {
  const { data } = await alice.client.auth.getSession();
  const answer = await fetch(`${product.url}/rest/v1/filter_settings?on_conflict=user_id`, {
    method: "POST",
    headers: {
      apikey: product.publishableKey,
      authorization: `Bearer ${data.session?.access_token}`,
      "content-type": "application/json",
      prefer: "resolution=merge-duplicates",
    },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

test("U32 U33 U34 bodies that are too large, too deep or of the wrong type store nothing", async () => {
  const before = await stored();
  const row = (extra: string) =>
    `{"user_id":"${alice.id}","filter_url":"${URL_OF_ALICE}","receiver_ids":["666"]${extra}}`;
  const bodies = [
    row(`,"note":"${"x".repeat(1_100_000)}"`),
    `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
    row(',"__proto__":{"is_admin":true}'),
    row(',"constructor":{"prototype":{"is_admin":true}}'),
    row(',"filter_url":"https://evil.example/"'),
    row(',"receiver_ids":["abc"]'),
    "{",
  ];
  for (const body of bodies)
    expect([body.slice(0, 60), await post(body)]).toEqual([
      body.slice(0, 60),
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
    ]);
  expect(await stored()).toEqual(before);
  expect(Object.hasOwn(Object.prototype, "is_admin")).toBe(false);
});

test("U38 SQL in any field is treated as text and refused", async () => {
  const before = await stored();
  const evil = "'); delete from public.filter_settings; --";
  expect((await save(alice, { filter_url: evil })).error?.code).toBe("23514");
  expect((await save(alice, { receiver_ids: [evil] })).error?.code).toBe("23514");
  expect((await save(alice, { user_id: evil })).error?.code).toBe("22P02");
  await alice.client.from("filter_settings").select("*").eq("filter_url", evil);
  expect(await stored()).toEqual(before);
});

test("DATA-05 there is no column for the interval, the subscription or the notifications", async () => {
  for (const column of ["interval", "scraping_interval", "subscription", "notifications"]) {
    const { error } = await alice.client
      .from("filter_settings")
      .update({ [column]: "x" })
      .eq("user_id", alice.id);
    expect(error?.code).toMatch(/PGRST204|42703/);
  }
});
