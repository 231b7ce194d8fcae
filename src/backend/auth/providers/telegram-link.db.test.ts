import { beforeAll, expect, test } from "vitest";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { mailTexts } from "#server/account-mails/render-mail.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { type Person, signUp } from "#test/cast.ts";
import { withoutSignUps } from "#test/sign-in/sign-up-mails.ts";
import { openTelegramBrowser, startTelegramProduct } from "#test/sign-in/telegram-browser.ts";

let started: Awaited<ReturnType<typeof startTelegramProduct>>;

beforeAll(async () => {
  started = await startTelegramProduct();
  return started.stop;
});

let made = 0;
async function newcomer() {
  made += 1;
  const owner = await signUp(started.product, `owner${made}`);
  const { id: telegramId } = createPerson(started.telegram, { firstName: `Ana ${made}` });
  return {
    owner,
    telegramId,
    password: `owner${made}-password`,
    browser: openTelegramBrowser(started.product),
  };
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>;

const tokenOf = async ({ client }: Person) =>
  (await client.auth.getSession()).data.session?.access_token ?? "";
/** Begins the link in this browser, and allows it by the current password. Returns the consent page. */
async function beginLink(one: Newcomer, current_password = one.password) {
  const { browser, owner } = one;
  const answer = await browser.beginLink(await tokenOf(owner));
  const { url } = (await answer.json()) as { url: string };
  const state = new URL(url).searchParams.get("state") ?? "";
  const { error } = await owner.client.rpc("allow_telegram_link", { state, current_password });
  return { url, state, error };
}
/** Links the Telegram user, as the profile does. */
async function link(one: Newcomer, password?: string) {
  const { browser, telegramId } = one;
  const { url } = await beginLink(one, password);
  return browser.land(await browser.choose(url, { person: String(telegramId), bot_access: "yes" }));
}
const providersOf = async ({ client }: Person) =>
  (await client.auth.getUser()).data.user?.identities?.map(({ provider }) => provider);
const identityOf = async (telegramId: number) => {
  const { sql } = started.product.database;
  const [row] = await sql`select user_id from watch.telegram_identities where telegram_id = ${telegramId}`;
  return row?.user_id;
};

test("START-05 after the current password, a Telegram user is linked, signs in to the account, and the chat is connected", async () => {
  const one = await newcomer();
  const { owner, telegramId, browser } = one;
  expect((await beginLink(one, "wrong")).error?.details).toBe("current_password_invalid");
  expect((await link(one)).said).toEqual({});
  expect(await providersOf(owner)).toEqual(["email", "custom:telegram"]);
  expect((await owner.client.from("chats").select("chat_id, state")).data).toEqual([
    { chat_id: telegramId, state: "connected" },
  ]);
  const { said } = await browser.signIn({ person: String(telegramId) });
  expect((await started.product.createClient().auth.getUser(said.access_token)).data.user?.id).toBe(owner.id);
});

test("START-05 without the password nothing is linked, and only Telegram can be", async () => {
  const one = await newcomer();
  expect((await link(one, "wrong")).said).toMatchObject({ error_code: "reauthentication_needed" });
  expect(await identityOf(one.telegramId)).toBeUndefined();
  const answer = await one.browser.beginLink(await tokenOf(one.owner), { provider: "google" });
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { error_code: "manual_linking_disabled" },
  ]);
  const guest = await one.browser.beginLink("not-a-token");
  expect(guest.status).toBe(403);
});

test("START-05 START-08 nobody can be made to link their Telegram to a stranger's account", async () => {
  const mallory = await newcomer();
  const victim = await newcomer();
  // Mallory sends the link to the victim, who consents.
  const { url } = await beginLink(mallory);
  const callback = await victim.browser.choose(url, {
    person: String(victim.telegramId),
    bot_access: "yes",
  });
  expect((await victim.browser.land(callback)).said).toMatchObject({ error_code: "bad_oauth_state" });
  expect(await identityOf(victim.telegramId)).toBeUndefined();
  // A sign-in that the victim's browser started does not become a link either.
  const signIn = await victim.browser.signIn({ person: String(victim.telegramId) });
  expect(await identityOf(victim.telegramId)).not.toBe(mallory.owner.id);
  expect(signIn.said.access_token).toBeDefined();
});

const URL_OF_SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";

/** The Telegram user's own account, with its private chat, and with a search in it if asked. */
async function enterAlone({ telegramId }: Newcomer) {
  const { said } = await openTelegramBrowser(started.product).signIn({
    person: String(telegramId),
    bot_access: "yes",
  });
  const client = started.product.createClient();
  const { access_token = "", refresh_token = "" } = said;
  const { data } = await client.auth.setSession({ access_token, refresh_token });
  return { client, id: data.user?.id ?? "", token: access_token };
}

test("START-05 TIME-04 a Telegram user whose own account has something in it is not linked, and nothing of it ends", async () => {
  const one = await newcomer();
  const alone = await enterAlone(one);
  const search = { user_id: alone.id, filter_url: URL_OF_SEARCH, receiver_ids: [String(one.telegramId)] };
  expect((await alone.client.from("filter_settings").insert(search)).error).toBeNull();
  expect((await link(one)).said).toMatchObject({ error_code: "identity_already_exists" });
  expect(await identityOf(one.telegramId)).toBe(alone.id);
  expect((await alone.client.from("searches").select("filter_url")).data).toEqual([
    { filter_url: URL_OF_SEARCH },
  ]);
});

test("START-05 TIME-04 an empty account with an address of its own does not end on a Telegram sign-in alone", async () => {
  const one = await newcomer();
  const alone = await enterAlone(one);
  await started.product.database.sql`
    update auth.users set email = ${`alone${made}@example.com`}, encrypted_password = 'hash' where id = ${alone.id}`;
  expect((await link(one)).said).toMatchObject({ error_code: "identity_already_exists" });
  expect(await identityOf(one.telegramId)).toBe(alone.id);
});

test("START-05 the empty account of a Telegram user is replaced, its sessions end, and its chat stays connected", async () => {
  const one = await newcomer();
  const alone = await enterAlone(one);
  expect((await link(one)).said).toEqual({});
  expect(await identityOf(one.telegramId)).toBe(one.owner.id);
  const { sql } = started.product.database;
  expect(await sql`select from auth.users where id = ${alone.id}`).toHaveLength(0);
  expect((await alone.client.auth.getUser(alone.token)).error?.name).toBe("AuthSessionMissingError");
  expect((await one.owner.client.from("chats").select("chat_id, state")).data).toEqual([
    { chat_id: one.telegramId, state: "connected" },
  ]);
  expect(
    await sql`select from watch.alerts where chat_id = ${one.telegramId} and user_id is null`,
  ).toHaveLength(0);
  expect(await providersOf(one.owner)).toEqual(["email", "custom:telegram"]);
});

const mailsTo = (email: string) =>
  withoutSignUps(started.product.mail.mails()).filter(({ to }) => to.includes(email));

test.each(LANGUAGES)("START-05 a linked Telegram user is mailed (%s)", async (language) => {
  const linking = await newcomer();
  const { owner } = linking;
  await owner.client.from("profiles").update({ language }).eq("id", owner.id);
  await link(linking);
  const words = mailTexts(language);
  await expect
    .poll(() => mailsTo(owner.email).map(({ subject }) => subject))
    .toContain(words("telegram-linked.subject"));
  const mail = mailsTo(owner.email).find(({ subject }) => subject === words("telegram-linked.subject"));
  expect(mail?.text).toContain(`http://localhost:3000${localizedPath("/profile", language)}`);
});

test("START-05 after the current password Telegram is disconnected, other devices are signed out, and it is mailed", async () => {
  const one = await newcomer();
  const { owner, telegramId, browser, password } = one;
  await link(one);
  const { said: elsewhere } = await browser.signIn({ person: String(telegramId) });
  const guess = await owner.client.rpc("unlink_telegram", { current_password: "wrong" });
  expect(guess.error?.details).toBe("current_password_invalid");
  expect(await identityOf(telegramId)).toBe(owner.id);
  expect((await owner.client.rpc("unlink_telegram", { current_password: password })).error).toBeNull();
  expect(await providersOf(owner)).toEqual(["email"]);
  const client = started.product.createClient();
  expect((await client.auth.getUser(elsewhere.access_token)).error?.name).toBe("AuthSessionMissingError");
  await expect
    .poll(() => mailsTo(owner.email).map(({ subject }) => subject))
    .toContain(mailTexts("en")("telegram-unlinked.subject"));
  // Telegram now leads to an account of its own, whose only way in it is.
  const { said } = await browser.signIn({ person: String(telegramId) });
  const { access_token = "", refresh_token = "" } = said;
  await client.auth.setSession({ access_token, refresh_token });
  expect(await identityOf(telegramId)).not.toBe(owner.id);
  expect((await client.rpc("unlink_telegram")).error?.details).toBe("only-sign-in");
});

const chatOf = async ({ owner, telegramId }: Newcomer) => {
  const { sql } = started.product.database;
  const [chat] = await sql`
    select state, reason, confirmed_at is not null as "isConfirmed",
      (select kind from watch.alerts where chat_id = ${telegramId} and user_id is null) as told
    from public.chats where user_id = ${owner.id} and chat_id = ${telegramId}`;
  return chat;
};

test("TIME-01 START-05 with Telegram its private chat is disconnected and told, and no button leads it back", async () => {
  const one = await newcomer();
  await link(one);
  await one.owner.client.rpc("unlink_telegram", { current_password: one.password });
  const ended = { state: "declined", reason: "ended", isConfirmed: false, told: "telegram-disconnected" };
  expect(await chatOf(one)).toEqual(ended);
  const { sql } = started.product.database;
  for (const said of ["yes", "me"]) {
    const [answer] = await sql`
      select outcome from watch.answer_question(${one.owner.id}, ${one.telegramId}, ${said}, 'private', 'Ana')`;
    expect(answer?.outcome).toBe("not-asked");
  }
  expect(await chatOf(one)).toEqual(ended);
  // Linking it again connects the chat again.
  await link(one);
  expect(await chatOf(one)).toMatchObject({ state: "connected", reason: null, isConfirmed: true });
});

test("START-05 the alerts stay in the private chat if the person wants it", async () => {
  const one = await newcomer();
  await link(one);
  await one.owner.client.rpc("unlink_telegram", { current_password: one.password, keep_chat: true });
  expect(await identityOf(one.telegramId)).toBeUndefined();
  expect(await chatOf(one)).toEqual({ state: "connected", reason: null, isConfirmed: true, told: null });
});

test("START-05 a link ends with the session that allowed it", async () => {
  const one = await newcomer();
  const { url } = await beginLink(one);
  const callback = await one.browser.choose(url, { person: String(one.telegramId) });
  await one.owner.client.auth.signOut();
  expect((await one.browser.land(callback)).said).toMatchObject({ error_code: "bad_oauth_state" });
  expect(await identityOf(one.telegramId)).toBeUndefined();
});

test("TIME-03 a permission to link belongs to the browser that asked, not to a copy of its token", async () => {
  const one = await newcomer();
  const thief = {
    browser: openTelegramBrowser(started.product),
    telegramId: createPerson(started.telegram, { firstName: "Mallory" }).id,
  };
  const { state } = await beginLink(one);
  // The thief has the owner's access token, and begins a link of their own.
  const answer = await thief.browser.beginLink(await tokenOf(one.owner));
  const { url } = (await answer.json()) as { url: string };
  const stolen = await thief.browser.choose(url, { person: String(thief.telegramId) });
  expect((await thief.browser.land(stolen)).said).toMatchObject({ error_code: "reauthentication_needed" });
  // Nor does the owner's state serve in the thief's browser.
  const swapped = new URL(stolen);
  swapped.searchParams.set("state", state);
  expect((await thief.browser.land(swapped.href)).said).toMatchObject({ error_code: "bad_oauth_state" });
  expect(await identityOf(thief.telegramId)).toBeUndefined();
});
