import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: Person["client"];

const URL_OF_ALICE =
  "https://www.idealista.com/alquiler-viviendas/madrid-madrid/?ordenado-por=fecha-publicacion-desc";

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
});

afterAll(() => product.stop());

beforeEach(async () => {
  await product.database.sql`truncate public.filter_settings cascade`;
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

test("DATA-01 the second save of a person changes the one row", async () => {
  const { error } = await save(alice, { receiver_ids: ["1", "-1001234567890"] });
  expect(error).toBeNull();
  expect(await stored()).toEqual([
    { user_id: alice.id, filter_url: URL_OF_ALICE, receiver_ids: ["1", "-1001234567890"] },
  ]);
});

test("a change moves updated_at, which nobody can set by hand", async () => {
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

test("DATA-02 Alice reads, changes and deletes her own filter", async () => {
  expect((await alice.client.from("filter_settings").select("user_id")).data).toEqual([
    { user_id: alice.id },
  ]);
  await alice.client
    .from("filter_settings")
    .update({ receiver_ids: ["5"] })
    .eq("user_id", alice.id);
  expect(await stored()).toMatchObject([{ receiver_ids: ["5"] }]);
  await alice.client.from("filter_settings").delete().eq("user_id", alice.id);
  expect(await stored()).toEqual([]);
});

test("DATA-02 Bob neither reads nor changes nor deletes Alice's filter", async () => {
  const before = await stored();
  expect((await bob.client.from("filter_settings").select("*")).data).toEqual([]);
  const updated = await bob.client
    .from("filter_settings")
    .update({ receiver_ids: ["666"] })
    .eq("user_id", alice.id)
    .select();
  const deleted = await bob.client.from("filter_settings").delete().eq("user_id", alice.id).select();
  expect([updated.data, deleted.data]).toEqual([[], []]);
  expect(await stored()).toEqual(before);
});

test("DATA-02 Bob saves nothing in Alice's name, by insert, upsert or by giving his own row away", async () => {
  const before = await stored();
  const inserted = await bob.client
    .from("filter_settings")
    .insert({ user_id: alice.id, filter_url: URL_OF_ALICE, receiver_ids: ["666"] });
  const upserted = await save(bob, { user_id: alice.id, receiver_ids: ["666"] });
  expect([inserted.error?.code, upserted.error?.code]).toEqual(["42501", "42501"]);
  expect(await stored()).toEqual(before);
  await save(bob, {});
  const given = await bob.client.from("filter_settings").update({ user_id: alice.id }).eq("user_id", bob.id);
  expect(given.error?.code).toBe("42501");
});

test("DATA-02 a guest reaches no filter by any verb", async () => {
  const before = await stored();
  const filters = () => guest.from("filter_settings");
  const row = { user_id: alice.id, filter_url: URL_OF_ALICE, receiver_ids: ["666"] };
  const answers = await Promise.all([
    filters().select("*"),
    filters().insert(row),
    filters().upsert(row, { onConflict: "user_id" }),
    filters()
      .update({ receiver_ids: ["666"] })
      .eq("user_id", alice.id),
    filters().delete().eq("user_id", alice.id),
  ]);
  expect(answers.map(({ error }) => error?.code)).toEqual(Array(5).fill("42501"));
  expect(await stored()).toEqual(before);
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
  ["eleven", Array.from({ length: 11 }, (_, index) => String(index + 1))],
])("DATA-03 chat ids with %s are refused with the constraint's name", async (_, receiver_ids) => {
  const before = await stored();
  const { error } = await save(alice, { receiver_ids });
  expect(error).toMatchObject({ code: "23514", details: "receiver_ids_are_chat_ids" });
  expect(await stored()).toEqual(before);
});

test("DATA-05 there is no column in which a person could set the interval, the subscription or the notifications", async () => {
  for (const column of ["interval", "scraping_interval", "subscription", "notifications"]) {
    const { error } = await alice.client
      .from("filter_settings")
      .update({ [column]: "x" })
      .eq("user_id", alice.id);
    expect(error?.code).toMatch(/PGRST204|42703/);
  }
});
