import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: Person["client"];

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob, guest } = await signUpCast(product));
});

afterAll(() => product.stop());

test("AUTH-15 a profile exists from the moment of sign-up, with name and e-mail", async () => {
  const { data, error } = await alice.client
    .from("profiles")
    .select("full_name, email")
    .eq("id", alice.id)
    .single();
  expect(error).toBeNull();
  expect(data).toEqual({ full_name: "alice", email: "alice@example.com" });
});

test("a changed name reaches the profile", async () => {
  const { error } = await bob.client.auth.updateUser({ data: { full_name: "  Roberto  " } });
  expect(error).toBeNull();
  const { data } = await bob.client.from("profiles").select("full_name").single();
  expect(data).toEqual({ full_name: "Roberto" });
});

test("a deleted account takes its profile along", async () => {
  const [{ id }] = await product.database.sql<[{ id: string }]>`
    insert into auth.users (id, email) values (gen_random_uuid(), 'gone@example.com') returning id`;
  const count = () => product.database.sql`select count(*)::int from public.profiles where id = ${id}`;
  expect(await count()).toEqual([{ count: 1 }]);
  await product.database.sql`delete from auth.users where id = ${id}`;
  expect(await count()).toEqual([{ count: 0 }]);
});

test("the language chosen at sign-up is in the profile, and one nobody speaks here is not", async () => {
  for (const [name, language, kept] of [
    ["ines", "es", "es"],
    ["pirate", "xx", null],
    ["list", ["es"], null],
    ["silent", undefined, null],
  ] as const) {
    const client = product.createClient();
    const data = { full_name: name, language };
    const { error } = await client.auth.signUp({
      email: `${name}@example.com`,
      password: "violet-harbour-27",
      options: { data },
    });
    expect(error).toBeNull();
    expect((await client.from("profiles").select("language").single()).data).toEqual({ language: kept });
  }
});

test("PROF Bob chooses his language, and a changed name leaves it alone", async () => {
  const choose = (language: string | null) =>
    bob.client.from("profiles").update({ language }).eq("id", bob.id).select("language");
  expect((await choose("ru")).data).toEqual([{ language: "ru" }]);
  await bob.client.auth.updateUser({ data: { full_name: "Bobby", language: "fr" } });
  expect((await bob.client.from("profiles").select("full_name, language").single()).data).toEqual({
    full_name: "Bobby",
    language: "ru",
  });
  expect((await choose("xx")).error?.code).toBe("23514");
  expect((await choose(null)).data).toEqual([{ language: null }]);
});

test("DATA-02 Bob chooses nobody else's language, and a guest nobody's", async () => {
  const { data } = await bob.client
    .from("profiles")
    .update({ language: "de" })
    .eq("id", alice.id)
    .select("id");
  expect(data).toEqual([]);
  await bob.client.from("profiles").update({ language: "de" }).neq("id", bob.id);
  const { error } = await guest.from("profiles").update({ language: "de" }).eq("id", alice.id);
  expect(error?.code).toBe("42501");
  expect(await product.database.sql`select language from public.profiles where id = ${alice.id}`).toEqual([
    { language: null },
  ]);
});

test("DATA-02 Bob reads only his own profile", async () => {
  const { data } = await bob.client.from("profiles").select("id");
  expect(data).toEqual([{ id: bob.id }]);
  const { data: hers } = await bob.client.from("profiles").select("*").eq("id", alice.id);
  expect(hers).toEqual([]);
});

test("DATA-02 a guest reads no profile", async () => {
  const { data, error } = await guest.from("profiles").select("*");
  expect(data).toBeNull();
  expect(error?.code).toBe("42501");
});

test.each([
  ["his own", () => bob.id],
  ["Alice's", () => alice.id],
])("DATA-02 Bob writes no profile, not even %s", async (_, id) => {
  const before = await product.database.sql`select * from public.profiles order by id`;
  const inserted = await bob.client.from("profiles").insert({ id: crypto.randomUUID(), full_name: "x" });
  const updated = await bob.client.from("profiles").update({ email: "x@example.com" }).eq("id", id());
  const deleted = await bob.client.from("profiles").delete().eq("id", id());
  expect([inserted, updated, deleted].map(({ error }) => error?.code)).toEqual(["42501", "42501", "42501"]);
  expect(await product.database.sql`select * from public.profiles order by id`).toEqual(before);
});

test("DATA-02 a guest writes no profile", async () => {
  const inserted = await guest.from("profiles").insert({ id: crypto.randomUUID() });
  const updated = await guest.from("profiles").update({ email: "x@example.com" }).eq("id", alice.id);
  const deleted = await guest.from("profiles").delete().eq("id", alice.id);
  expect([inserted, updated, deleted].map(({ error }) => error?.code)).toEqual(["42501", "42501", "42501"]);
});
