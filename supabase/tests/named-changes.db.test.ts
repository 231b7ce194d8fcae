// A change names the fields that it replaces and what they were: the conditions that src/web/lib/changes/change-row.ts writes.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { addFinds } from "./added-finds.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
});

afterAll(() => product.stop());

beforeEach(() => product.database.sql`truncate public.searches, public.listings, public.marks cascade`);

const RULES = [{ on: "words", are: "present", words: ['a "quote", a, comma'], act: "silent" }];

test.each([
  ["a name", { name: "Mine" }, "name", "eq.Home", "eq.Gym"],
  [
    "a name that was empty",
    { quiet_from: "23:00", quiet_until: "08:00" },
    "quiet_from",
    "is.null",
    "eq.22:00",
  ],
  ["rules", { rules: [] }, "rules", `eq.${JSON.stringify(RULES)}`, "eq.[]"],
  ["chats", { receiver_ids: ["3"] }, "receiver_ids", 'eq.{"1","2"}', 'eq.{"1"}'],
  ["a switch", { is_paused: true }, "is_paused", "eq.false", "eq.true"],
])(
  "WEB-03 a change is made in one statement if the field is still what it was, otherwise not: %s",
  async (_, mine, column, before, other) => {
    const { data } = await alice.client
      .from("searches")
      .insert({
        ...{ user_id: alice.id, filter_url: "https://www.idealista.com/venta-viviendas/madrid-madrid/" },
        ...{ receiver_ids: ["1", "2"], name: "Home", rules: RULES },
      })
      .select("id")
      .single();
    const change = async ({ client }: Person, condition: string) => {
      const [operator = "", ...value] = condition.split(".");
      const changed = client.from("searches").update(mine).eq("id", data?.id);
      return (await changed.filter(column, operator, value.join(".")).select("id")).data;
    };
    expect(await change(alice, other)).toEqual([]);
    expect(await change(bob, before)).toEqual([]);
    expect(await change(alice, before)).toEqual([{ id: data?.id }]);
    expect(await change(alice, before)).toEqual([]);
  },
);

test("WEB-03 a mark and a note are refused if the home no longer has what they replace, whichever advert was meant", async () => {
  await addFinds(product, alice, [
    { id: "1", hoursAgo: 5, home: "1" },
    { id: "2", hoursAgo: 1, home: "1" },
  ]);
  const call = async (name: "mark_find" | "note_find", values: object) =>
    (await alice.client.rpc(name, { listing_id: "2", ...values })).error?.details ?? null;
  expect(await call("mark_find", { mark: "kept", replaces: { mark: null } })).toBeNull();
  // The answer was lost, and the change is sent again.
  expect(await call("mark_find", { mark: "kept", replaces: { mark: null } })).toBeNull();
  expect(await call("mark_find", { listing_id: "1", mark: "hidden", replaces: { mark: null } })).toBe(
    "changed-elsewhere",
  );
  expect(await call("mark_find", { replaces: { mark: "hidden" } })).toBe("changed-elsewhere");
  expect(await call("mark_find", { mark: "hidden", replaces: { mark: "kept" } })).toBeNull();
  expect(await call("note_find", { note: " mine ", replaces: { note: null } })).toBeNull();
  expect(await call("note_find", { note: "theirs", replaces: { note: null } })).toBe("changed-elsewhere");
  expect(await call("note_find", { note: "theirs", replaces: { note: "mine" } })).toBeNull();
  // Without it the change is made as it is.
  expect(await call("note_find", { note: "any" })).toBeNull();
  const rows = await product.database
    .sql`select distinct mark, note from public.marks where note is not null`;
  expect(rows).toEqual([{ mark: "hidden", note: "any" }]);
});
