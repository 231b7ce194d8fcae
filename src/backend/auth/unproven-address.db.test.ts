import { beforeAll, beforeEach, expect, test } from "vitest";
import { mailTexts } from "#server/account-mails/render-mail.ts";
import type { GoogleSimulator } from "#simulators/google/google-simulator.ts";
import { type Person, signUp } from "#test/cast.ts";
import { type GoogleBrowser, openGoogleBrowser, startGoogleProduct } from "#test/sign-in/google-browser.ts";
import { withoutSignUps } from "#test/sign-in/sign-up-mails.ts";
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
      (select count(*)::int from public.chats where user_id = ${id} and state = 'connected') as connected,
      (select count(*)::int from public.listings where user_id = ${id}) as listings,
      (select count(*)::int from watch.link_tokens where user_id = ${id}) as links,
      (select count(*)::int from watch.alerts where user_id = ${id} and state = 'pending') as pending,
      (select count(*)::int from public.marks where user_id = ${id}) as marks,
      (select to_jsonb(profiles) - 'id' - 'email' from public.profiles where id = ${id}) as profile,
      (select raw_user_meta_data::text from auth.users where id = ${id}) as metadata`;
  return row ?? {};
};

test("DOOR-06 READ-10 when Google confirms the owner of an address, what could act or hear ends and what only describes stays", async () => {
  const squatter = await signUp(product, "squatted");
  const email = await setUpHouse(squatter, 700_001);
  google.addPerson({ email, isVerified: true, name: "Rosa Owner" });
  const landing = await browser.signIn({ email });
  expect((await product.createClient().auth.getUser(landing.said.access_token)).data.user?.id).toBe(
    squatter.id,
  );
  const left = await setUpBy(squatter.id);
  expect(left).toMatchObject({ filters: 1, connected: 0, listings: 1, links: 0, pending: 0, marks: 1 });
  expect(left.profile).toMatchObject({ full_name: "Rosa Owner" });
  expect(left.metadata).not.toMatch(/Mallory|was here/);
  const traces = await product.database.sql`select from auth.identities
    where user_id = ${squatter.id} and identity_data::text ~ 'Mallory|was here'`;
  expect(traces).toHaveLength(0);
  expect((await squatter.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  const again = { email, password: "squatted-password" };
  expect((await product.createClient().auth.signInWithPassword(again)).error).not.toBeNull();
  const told = () => withoutSignUps(product.mail.mails()).filter(({ to }) => to.includes(email));
  await expect
    .poll(() => told().map(({ subject }) => subject))
    .toContain(mailTexts("ru")("access-ended.subject"));
});

test("READ-10 a link of the sign-up that was not answered ends with the proof by Google", async () => {
  const squatter = await signUp(product, "unanswered");
  const { email } = squatter;
  const [link] = await linksTo(email, "signup");
  google.addPerson({ email, isVerified: true });
  await browser.signIn({ email });
  const client = product.createClient();
  expect((await client.rpc("describe_address_link", { token_hash: link })).data).toBeNull();
  expect((await client.rpc("refuse_address", { token_hash: link })).data).toBeNull();
  const { error } = await client.auth.verifyOtp({ token_hash: link ?? "", type: "signup" });
  expect(error?.code).toBe("otp_expired");
  expect(await setUpBy(squatter.id)).toMatchObject({ profile: { full_name: expect.any(String) } });
});

test("DOOR-06 what the owner set up after proving the address remains, however they sign in later", async () => {
  const owner = await signUp(product, "prover");
  google.addPerson({ email: owner.email, isVerified: true });
  const { said } = await browser.signIn({ email: owner.email });
  const { access_token = "", refresh_token = "" } = said;
  await owner.client.auth.setSession({ access_token, refresh_token });
  await setUpHouse(owner, 700_002);
  await openGoogleBrowser(product).signIn({ email: owner.email });
  expect(await setUpBy(owner.id)).toMatchObject({
    filters: 1,
    connected: 1,
    listings: 1,
    links: 1,
    marks: 1,
  });
});

/** The tokens of the links of a kind that were mailed to this address, once there is one. */
async function linksTo(email: string, type: string): Promise<string[]> {
  const tokens = () =>
    product.mail
      .mails()
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => new RegExp(`token_hash=([\\da-f]{64})&type=${type}`).exec(text)?.[1] ?? []);
  await expect.poll(() => tokens().length).toBeGreaterThan(0);
  return tokens();
}

/** A browser that has opened the link mailed to this address. */
async function openResetLink(email: string) {
  await product.createClient().auth.resetPasswordForEmail(email);
  const [token_hash = ""] = await linksTo(email, "recovery");
  const client = product.createClient();
  await client.auth.verifyOtp({ token_hash, type: "recovery" });
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
  expect(await setUpBy(squatter.id)).toMatchObject({ filters: 1, connected: 0, links: 0, marks: 1 });
  const again = { email: squatter.email, password: "amber-lantern-41" };
  expect((await product.createClient().auth.signInWithPassword(again)).error).not.toBeNull();
});

test("DOOR-06 READ-10 an owner who proved the address by a reset link and then signs in with Google keeps what they made since", async () => {
  const owner = await signUp(product, "resetter");
  await setUpHouse(owner, 700_003);
  const client = await openResetLink(owner.email);
  expect((await client.auth.updateUser({ password: "violet-harbour-27" })).error).toBeNull();
  // A forgotten password does not cost anybody their searches; what a stranger may hold ends.
  const kept = { filters: 1, connected: 0, listings: 1, links: 0, marks: 1 };
  expect(await setUpBy(owner.id)).toMatchObject(kept);
  expect((await owner.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect((await client.auth.getUser()).data.user?.email_confirmed_at).toBeDefined();
  google.addPerson({ email: owner.email, isVerified: true });
  await browser.signIn({ email: owner.email });
  expect(await setUpBy(owner.id)).toMatchObject(kept);
  const again = { email: owner.email, password: "violet-harbour-27" };
  expect((await product.createClient().auth.signInWithPassword(again)).error).toBeNull();
});

test("READ-10 after “Yes, that's me” neither a reset nor Google ends anything", async () => {
  const owner = await signUp(product, "confirmer");
  await setUpHouse(owner, 700_005);
  const [token_hash = ""] = await linksTo(owner.email, "signup");
  const elsewhere = product.createClient();
  const proved = await elsewhere.auth.verifyOtp({ token_hash, type: "signup" });
  expect(proved.error).toBeNull();
  expect(proved.data.session, "no link signs anybody in").toBeNull();
  expect((await owner.client.auth.getUser()).data.user?.email_confirmed_at).toBeDefined();
  google.addPerson({ email: owner.email, isVerified: true });
  await browser.signIn({ email: owner.email });
  expect(await setUpBy(owner.id)).toMatchObject({
    filters: 1,
    connected: 1,
    listings: 1,
    links: 1,
    marks: 1,
  });
  expect((await owner.client.auth.getUser()).error).toBeNull();
});
