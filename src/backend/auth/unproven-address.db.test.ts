import { beforeAll, beforeEach, expect, test } from "vitest";
import type { GoogleSimulator } from "#simulators/google/google-simulator.ts";
import { type Person, signUp } from "#test/cast.ts";
import { type GoogleBrowser, openGoogleBrowser, startGoogleProduct } from "#test/sign-in/google-browser.ts";
import type { TestProduct } from "#test/test-product.ts";

let google: GoogleSimulator;
let product: TestProduct;
let browser: GoogleBrowser;

beforeAll(async () => {
  const started = await startGoogleProduct();
  ({ google, product } = started);
  return started.stop;
});

beforeEach(() => {
  browser = openGoogleBrowser(product);
});

const FILTER_URL = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";

/** Sets up everything possible with an unproven address: name, filter, chat, finds, choices, link. */
async function setUpHouse({ id, email, client }: Person, chatId: number) {
  const { sql } = product.database;
  await sql`insert into watch.chats (chat_id, kind, title, asked_id_at) values (${chatId}, 'private', 'Mallory', now())`;
  const filter = { user_id: id, filter_url: FILTER_URL, receiver_ids: [String(chatId)] };
  expect((await client.from("filter_settings").insert(filter)).error).toBeNull();
  expect((await client.from("chats").select("state")).data).toEqual([{ state: "connected" }]);
  expect((await client.rpc("send_test_message", { chat_id: chatId })).error).toBeNull();
  expect((await client.rpc("create_telegram_link")).error).toBeNull();
  const choices = { language: "ru" };
  expect((await client.from("profiles").update(choices).eq("id", id)).error).toBeNull();
  const data = { full_name: "Mallory", note: "was here" };
  expect((await client.auth.updateUser({ data })).error).toBeNull();
  await sql`insert into public.listings (listing_id, user_id, details) values ('100000001', ${id}, '{}')`;
  await sql`insert into public.marks (user_id, listing_id, mark) values (${id}, '100000001', 'kept')`;
  return email;
}

const setUpBy = async (id: string) => {
  const [row] = await product.database.sql`
    select
      (select count(*)::int from public.filter_settings where user_id = ${id}) as filters,
      (select count(*)::int from public.chats where user_id = ${id}) as chats,
      (select count(*)::int from public.listings where user_id = ${id}) as listings,
      (select count(*)::int from watch.link_tokens where user_id = ${id}) as links,
      (select count(*)::int from watch.alerts where user_id = ${id}) as alerts,
      (select count(*)::int from public.marks where user_id = ${id}) as marks,
      (select to_jsonb(profiles) - 'id' - 'email' from public.profiles where id = ${id}) as profile,
      (select raw_user_meta_data::text from auth.users where id = ${id}) as metadata`;
  return row ?? {};
};

test("DOOR-06 when Google confirms the owner of an address, everything a squatter set up is removed", async () => {
  const squatter = await signUp(product, "squatted");
  const email = await setUpHouse(squatter, 700_001);
  await product.database.sql`update public.profiles set mails_when_away = false where id = ${squatter.id}`;
  google.addPerson({ email, isVerified: true, name: "Rosa Owner" });
  const landing = await browser.signIn({ email });
  expect((await product.createClient().auth.getUser(landing.said.access_token)).data.user?.id).toBe(
    squatter.id,
  );
  const left = await setUpBy(squatter.id);
  expect(left).toMatchObject({ filters: 0, chats: 0, listings: 0, links: 0, alerts: 0, marks: 0 });
  expect(left.profile).toEqual({
    full_name: "Rosa Owner",
    language: null,
    mails_when_away: true,
  });
  expect(left.metadata).not.toMatch(/Mallory|was here/);
  const traces = await product.database.sql`select from auth.identities
    where user_id = ${squatter.id} and identity_data::text ~ 'Mallory|was here'`;
  expect(traces).toHaveLength(0);
});

test("DOOR-06 what the owner set up after proving the address remains, however they sign in later", async () => {
  const owner = await signUp(product, "prover");
  google.addPerson({ email: owner.email, isVerified: true });
  const { said } = await browser.signIn({ email: owner.email });
  const { access_token = "", refresh_token = "" } = said;
  await owner.client.auth.setSession({ access_token, refresh_token });
  await setUpHouse(owner, 700_002);
  await openGoogleBrowser(product).signIn({ email: owner.email });
  expect(await setUpBy(owner.id)).toMatchObject({ filters: 1, chats: 1, listings: 1, links: 1, marks: 1 });
});

/** A browser that has opened the link mailed to this address. */
async function openResetLink(email: string) {
  await product.createClient().auth.resetPasswordForEmail(email);
  const hashIn = () =>
    /token_hash=([\da-f]{64})/.exec(product.mail.mails().find(({ to }) => to.includes(email))?.text ?? "");
  await expect.poll(hashIn).not.toBeNull();
  const client = product.createClient();
  await client.auth.verifyOtp({ token_hash: hashIn()?.[1] ?? "", type: "recovery" });
  return client;
}

test("DOOR-06 a squatter who changes the password while the owner's reset link is open has proved nothing", async () => {
  const squatter = await signUp(product, "racer");
  await setUpHouse(squatter, 700_004);
  await openResetLink(squatter.email);
  const change = { password: "amber-lantern-41", current_password: "racer-password" };
  expect((await squatter.client.auth.updateUser(change)).error).toBeNull();
  google.addPerson({ email: squatter.email, isVerified: true });
  await browser.signIn({ email: squatter.email });
  expect(await setUpBy(squatter.id)).toMatchObject({ filters: 0, chats: 0, listings: 0, marks: 0 });
  const again = { email: squatter.email, password: "amber-lantern-41" };
  expect((await product.createClient().auth.signInWithPassword(again)).error).not.toBeNull();
});

test("DOOR-06 an owner who proved the address by a reset link and then signs in with Google loses nothing", async () => {
  const owner = await signUp(product, "resetter");
  await setUpHouse(owner, 700_003);
  const client = await openResetLink(owner.email);
  expect((await client.auth.updateUser({ password: "violet-harbour-27" })).error).toBeNull();
  // A forgotten password does not cost anybody their filter; links that a stranger may hold are ended.
  expect(await setUpBy(owner.id)).toMatchObject({ filters: 1, chats: 1, listings: 1, links: 0, marks: 1 });
  expect((await owner.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  google.addPerson({ email: owner.email, isVerified: true });
  await browser.signIn({ email: owner.email });
  expect(await setUpBy(owner.id)).toMatchObject({ filters: 1, chats: 1, listings: 1, marks: 1 });
  const again = { email: owner.email, password: "violet-harbour-27" };
  expect((await product.createClient().auth.signInWithPassword(again)).error).toBeNull();
});
