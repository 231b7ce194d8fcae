import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { GoogleSimulator } from "#simulators/google/google-simulator.ts";
import { type Person, signUp } from "#test/cast.ts";
import { openGoogleBrowser, startGoogleProduct } from "#test/sign-in/google-browser.ts";
import type { TestProduct } from "#test/test-product.ts";

let google: GoogleSimulator;
let product: TestProduct;
let people = 0;
let alice: Person;
let password: string;

beforeAll(async () => {
  const started = await startGoogleProduct();
  ({ google, product } = started);
  return started.stop;
});

beforeEach(async () => {
  people += 1;
  alice = await signUp(product, `alice-${people}`);
  password = `alice-${people}-password`;
});

const change = (client: SupabaseClient, next: string, current?: string) =>
  client.auth.updateUser({ password: next, ...(current === undefined ? {} : { current_password: current }) });
const remove = (client: SupabaseClient, current?: string) =>
  client.rpc("delete_my_account", current === undefined ? {} : { current_password: current });
const signsIn = async (secret: string) =>
  (await product.createClient().auth.signInWithPassword({ email: alice.email, password: secret })).error ===
  null;
const exists = async (id: string) =>
  (await product.database.sql`select from auth.users where id = ${id}`).length === 1;

async function recovered(person: Person): Promise<SupabaseClient> {
  const client = product.createClient();
  await client.auth.resetPasswordForEmail(person.email);
  const tokenHash = () =>
    product.mail
      .mails()
      .filter((mail) => mail.to.includes(person.email))
      .map((mail) => /#token_hash=([\da-f]{64})&type=recovery/.exec(mail.text)?.[1])
      .find((found) => found !== undefined);
  await expect.poll(tokenHash).toBeDefined();
  const { error } = await client.auth.verifyOtp({ token_hash: tokenHash() ?? "", type: "recovery" });
  expect(error).toBeNull();
  return client;
}

async function byGoogle(email: string): Promise<{ client: SupabaseClient; id: string }> {
  google.addPerson({ email, isVerified: true });
  const { said } = await openGoogleBrowser(product).signIn({ email });
  const client = product.createClient();
  const { access_token = "", refresh_token = "" } = said;
  const { data } = await client.auth.setSession({ access_token, refresh_token });
  return { client, id: data.user?.id ?? "" };
}

/** Makes every proof of the sessions so far that much older. */
const age = (minutes: number) => product.database.sql`
  update auth.mfa_amr_claims set updated_at = updated_at - ${minutes} * interval '1 minute'`;

test("DOOR-08 an access token alone can neither change the password nor delete the account, however fresh it is", async () => {
  expect((await change(alice.client, "violet-harbour-27")).error?.code).toBe("current_password_required");
  expect((await change(alice.client, "violet-harbour-27", "")).error?.code).toBe("current_password_required");
  const refused = await remove(alice.client);
  expect(refused.error).toMatchObject({ code: "PT403", details: "current_password_required" });
  expect(await exists(alice.id)).toBe(true);
  expect(await signsIn(password)).toBe(true);
});

test("DOOR-08 a wrong current password changes and deletes nothing, the right one does both", async () => {
  expect((await change(alice.client, "violet-harbour-27", "a guess")).error?.code).toBe(
    "current_password_invalid",
  );
  expect((await remove(alice.client, "a guess")).error).toMatchObject({
    code: "PT403",
    details: "current_password_invalid",
  });
  expect(await signsIn(password)).toBe(true);
  expect((await change(alice.client, "violet-harbour-27", password)).error).toBeNull();
  expect(await signsIn(password)).toBe(false);
  expect((await remove(alice.client, password)).error).not.toBeNull();
  expect(await exists(alice.id)).toBe(true);
  expect((await remove(alice.client, "violet-harbour-27")).error).toBeNull();
  expect(await exists(alice.id)).toBe(false);
});

test("DOOR-08 a password given for one action does not authorise a second one", async () => {
  expect((await remove(alice.client, "a guess")).error).not.toBeNull();
  expect((await change(alice.client, "violet-harbour-27", password)).error).toBeNull();
  expect((await change(alice.client, "another-harbour-28")).error?.code).toBe("current_password_required");
  expect((await remove(alice.client)).error).toMatchObject({ code: "PT403" });
});

test("TIME-03 while the owner confirms something, a copy of the token can neither delete the account nor add a sign-in", async () => {
  const { data } = await alice.client.auth.getSession();
  const { access_token = "", refresh_token = "" } = data.session ?? {};
  const thief = product.createClient();
  await thief.auth.setSession({ access_token, refresh_token });
  let isConfirming = true;
  const confirm = async () => {
    for (let round = 0; round < 5; round += 1) {
      // Nothing is linked, so that it can be confirmed again and again.
      const { error } = await alice.client.rpc("unlink_telegram", { current_password: password });
      expect(error).toBeNull();
    }
    isConfirming = false;
  };
  const steal = async () => {
    const answers = [];
    while (isConfirming) {
      const tries = [thief.rpc("delete_my_account"), thief.rpc("unlink_telegram")];
      answers.push(...(await Promise.all(tries)).map(({ error }) => error?.details));
    }
    return answers;
  };
  const [, ...stolen] = await Promise.all([confirm(), steal(), steal()]);
  expect(stolen.flat().length).toBeGreaterThan(10);
  expect(new Set(stolen.flat())).toEqual(new Set(["current_password_required"]));
  expect(await exists(alice.id)).toBe(true);
});

test("TIME-03 a recent sign-in serves one call, and the next one needs another", async () => {
  const { client, id } = await byGoogle(`one-call-${people}@example.com`);
  expect((await client.rpc("unlink_telegram")).error?.details).toBeUndefined();
  for (const name of ["unlink_telegram", "delete_my_account"]) {
    expect((await client.rpc(name)).error?.details).toBe("reauthentication_needed");
  }
  expect((await change(client, "amber-lantern-41")).error?.code).toBe("reauthentication_needed");
  expect(await exists(id)).toBe(true);
});

test("DOOR-08 wrong current passwords and wrong sign-ins share one count", async () => {
  const thief = product.createClient();
  const { data } = await alice.client.auth.getSession();
  await thief.auth.setSession({
    access_token: data.session?.access_token ?? "",
    refresh_token: data.session?.refresh_token ?? "",
  });
  for (let guess = 0; guess < 4; guess += 1) {
    expect((await change(thief, "violet-harbour-27", `guess ${guess}`)).error?.code).toBe(
      "current_password_invalid",
    );
    expect((await remove(thief, `guess ${guess}`)).error?.details).toBe("current_password_invalid");
  }
  expect(await signsIn("ninth guess")).toBe(false);
  expect(await signsIn("tenth guess")).toBe(false);
  expect((await change(thief, "violet-harbour-27", password)).error?.status).toBe(429);
  expect((await remove(thief, password)).error).toMatchObject({ code: "PT429" });
  expect(await exists(alice.id)).toBe(true);
});

test("DOOR-08 a reset link replaces the old password once, for a quarter of an hour", async () => {
  const late = await recovered(alice);
  await age(16);
  expect((await change(late, "violet-harbour-27")).error?.code).toBe("current_password_required");
  expect((await remove(late)).error).not.toBeNull();
  await age(-15);
  expect((await change(late, "violet-harbour-27")).error).toBeNull();
  expect((await change(late, "another-harbour-28")).error?.code).toBe("current_password_required");
  expect(await signsIn("violet-harbour-27")).toBe(true);
});

test("TIME-01 somebody who knows the password cannot end the owner's reset links by changing it again and again", async () => {
  // What a change at the same time prevents does not count.
  const atOnce = await Promise.all(
    [1, 2, 3].map((number) => change(alice.client, `at-once-${number}-password`, password)),
  );
  const done = atOnce.findIndex(({ error }) => error === null);
  expect(atOnce.filter(({ error }) => error === null)).toHaveLength(1);
  password = `at-once-${done + 1}-password`;
  for (let count = 0; count < 9; count += 1) {
    const next = `a-new-password-${count}`;
    expect((await change(alice.client, next, password)).error).toBeNull();
    password = next;
  }
  const owner = await recovered(alice);
  expect((await change(alice.client, "one-more-password", password)).error?.code).toBe(
    "over_request_rate_limit",
  );
  expect((await change(owner, "the-owners-own-password")).error).toBeNull();
  expect(await signsIn("the-owners-own-password")).toBe(true);
});

test("DOOR-08 a person who has just opened a reset link can delete the account", async () => {
  expect((await remove(await recovered(alice))).error).toBeNull();
  expect(await exists(alice.id)).toBe(false);
});

test("DOOR-08 an account without a password requires a Google sign-in within the last ten minutes", async () => {
  const email = `lena-${people}@gmail.example`;
  const first = await byGoogle(email);
  await age(11);
  expect((await change(first.client, "violet-harbour-27")).error?.code).toBe("reauthentication_needed");
  expect((await change(first.client, "violet-harbour-27", "anything")).error?.code).toBe(
    "reauthentication_needed",
  );
  expect((await remove(first.client)).error).toMatchObject({ details: "reauthentication_needed" });
  const again = await byGoogle(email);
  expect((await remove(first.client)).error).not.toBeNull();
  expect((await change(again.client, "violet-harbour-27")).error).toBeNull();
  // Now there is a password, and a Google sign-in is no longer enough.
  const third = await byGoogle(email);
  expect((await change(third.client, "another-harbour-28")).error?.code).toBe("current_password_required");
  expect((await remove(third.client)).error?.details).toBe("current_password_required");
  expect((await remove(third.client, "violet-harbour-27")).error).toBeNull();
});

test("DOOR-08 an account without a password can be deleted right after a Google sign-in", async () => {
  const { client, id } = await byGoogle(`nils-${people}@gmail.example`);
  expect((await remove(client)).error).toBeNull();
  expect(await exists(id)).toBe(false);
});

test("DOOR-08 PUT /user changes name and password and nothing else", async () => {
  const { data } = await alice.client.auth.getSession();
  const put = async (body: object) => {
    const answer = await fetch(`${product.url}/auth/v1/user`, {
      method: "PUT",
      headers: {
        apikey: product.publishableKey,
        authorization: `Bearer ${data.session?.access_token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    return [answer.status, ((await answer.json()) as { error_code?: string }).error_code];
  };
  const before = await product.database.sql`select email, phone, role, encrypted_password, raw_app_meta_data
    from auth.users where id = ${alice.id}`;
  for (const body of [{ email: "thief@example.com" }, { phone: "+34600000000" }]) {
    expect(await put(body), JSON.stringify(body)).toEqual([422, "validation_failed"]);
  }
  expect(await put({ email: "" })).toEqual([422, "validation_failed"]);
  for (const body of [
    { app_metadata: { role: "admin" } },
    { role: "service_role" },
    { nonce: "123456", password: "violet-harbour-27" },
    { password: null },
    { password: ["violet-harbour-27"] },
    { current_password: { like: "%" }, password: "violet-harbour-27" },
  ]) {
    await put(body);
  }
  expect(
    await product.database.sql`select email, phone, role, encrypted_password, raw_app_meta_data
    from auth.users where id = ${alice.id}`,
  ).toEqual(before);
});

test("DOOR-08 the database function refuses by itself, however it is called", async () => {
  const { data } = await alice.client.auth.getSession();
  const token = data.session?.access_token;
  for (const [method, path] of [
    ["GET", "rpc/delete_my_account"],
    ["GET", `rpc/delete_my_account?current_password=${password}x`],
    ["POST", "rpc/delete_my_account?current_password=x"],
    ["POST", "rpc/delete_my_account/"],
  ] as const) {
    await fetch(`${product.url}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: product.publishableKey,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    expect(await exists(alice.id), `${method} ${path}`).toBe(true);
  }
});

test("DOOR-09 common passwords and the own address are refused at sign-up, change and reset, with the reason", async () => {
  const email = `newcomer-${people}@example.com`;
  for (const [wanted, reason] of [
    ["password1", "common"],
    ["QWERTY123", "common"],
    [email.toUpperCase(), "email"],
    [`newcomer-${people}`, "email"],
  ]) {
    const { error } = await product.createClient().auth.signUp({ email, password: wanted ?? "" });
    expect(error).toMatchObject({ code: "weak_password", reasons: [reason] });
  }
  expect(await product.database.sql`select from auth.users where email = ${email}`).toHaveLength(0);
  for (const [client, current] of [
    [alice.client, password],
    [await recovered(alice), undefined],
  ] as const) {
    expect((await change(client, "letmein", current)).error).toMatchObject({ reasons: ["common"] });
    expect((await change(client, alice.email, current)).error).toMatchObject({ reasons: ["email"] });
    expect((await change(client, `ALICE-${people}`, current)).error).toMatchObject({ reasons: ["email"] });
  }
  expect(await signsIn(password)).toBe(true);
});
