import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
});

afterAll(() => product.stop());

test("AUTH-15 a profile with name and e-mail exists as soon as a person has signed up", async () => {
  const { data, error } = await alice.client
    .from("profiles")
    .select("full_name, email")
    .eq("id", alice.id)
    .single();
  expect(error).toBeNull();
  expect(data).toEqual({ full_name: "alice", email: "alice@example.com" });
});

test("a changed name is copied to the profile", async () => {
  const { error } = await bob.client.auth.updateUser({ data: { full_name: "  Roberto  " } });
  expect(error).toBeNull();
  const { data } = await bob.client.from("profiles").select("full_name").single();
  expect(data).toEqual({ full_name: "Roberto" });
});

test("deleting an account deletes its profile", async () => {
  const [{ id }] = await product.database.sql<[{ id: string }]>`
    insert into auth.users (id, email) values (gen_random_uuid(), 'gone@example.com') returning id`;
  const count = () => product.database.sql`select count(*)::int from public.profiles where id = ${id}`;
  expect(await count()).toEqual([{ count: 1 }]);
  await product.database.sql`delete from auth.users where id = ${id}`;
  expect(await count()).toEqual([{ count: 0 }]);
});

test("the language chosen at sign-up is stored in the profile, and an invalid code is not", async () => {
  for (const [name, language, kept] of [
    ["ines", "es", "es"],
    ["pirate", "pirate", null],
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

test("Bob can choose his language, and changing his name does not affect it", async () => {
  const choose = (language: string | null) =>
    bob.client.from("profiles").update({ language }).eq("id", bob.id).select("language");
  expect((await choose("ru")).data).toEqual([{ language: "ru" }]);
  await bob.client.auth.updateUser({ data: { full_name: "Bobby", language: "fr" } });
  expect((await bob.client.from("profiles").select("full_name, language").single()).data).toEqual({
    full_name: "Bobby",
    language: "ru",
  });
  expect((await choose("pirate")).error?.code).toBe("23514");
  expect((await choose(null)).data).toEqual([{ language: null }]);
});
