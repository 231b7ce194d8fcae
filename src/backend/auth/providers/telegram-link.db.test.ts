import { beforeAll, expect, test } from "vitest";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { mailTexts } from "#server/account-mails/render-mail.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { type Person, signUp } from "#test/cast.ts";
import { withoutSignUps } from "#test/sign-up-mails.ts";
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
const allow = ({ owner, password }: Newcomer) =>
  owner.client.rpc("allow_telegram_link", { current_password: password });
const consentOf = async ({ browser, owner }: Newcomer) => {
  const answer = await browser.beginLink(await tokenOf(owner));
  return ((await answer.json()) as { url: string }).url;
};
/** Links the Telegram user, as the profile does. */
async function link(one: Newcomer, telegramId = one.telegramId) {
  const { browser } = one;
  const consent = await consentOf(one);
  return browser.land(await browser.choose(consent, { person: String(telegramId), bot_access: "yes" }));
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
  expect((await owner.client.rpc("allow_telegram_link", { current_password: "wrong" })).error?.details).toBe(
    "current_password_invalid",
  );
  expect((await allow(one)).error).toBeNull();
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
  expect((await link(one)).said).toMatchObject({ error_code: "reauthentication_needed" });
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
  await allow(mallory);
  // Mallory sends the link to the victim, who consents.
  const consent = await consentOf(mallory);
  const callback = await victim.browser.choose(consent, {
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

test("START-05 a Telegram user with an account of its own is offered for joining, and the other account ends", async () => {
  const one = await newcomer();
  const { owner, telegramId } = one;
  const elsewhere = openTelegramBrowser(started.product);
  const { said: other } = await elsewhere.signIn({ person: String(telegramId), bot_access: "yes" });
  await allow(one);
  expect((await link(one)).said).toMatchObject({ error_code: "identity_already_exists" });
  expect((await owner.client.rpc("my_join_offer")).data).toMatchObject({ searches: 0, chats: 1 });
  const stranger = await signUp(started.product, `stranger${made}`);
  expect((await stranger.client.rpc("my_join_offer")).data).toBeNull();
  expect((await stranger.client.rpc("join_my_accounts")).error?.details).toBe("no-join-offer");
  expect((await owner.client.rpc("join_my_accounts")).error).toBeNull();
  expect(await identityOf(telegramId)).toBe(owner.id);
  const client = started.product.createClient();
  expect((await client.auth.getUser(other.access_token)).error?.name).toBe("AuthSessionMissingError");
  expect(await providersOf(owner)).toEqual(["email", "custom:telegram"]);
});

const mailsTo = (email: string) => withoutSignUps(started.product.mail.mails()).filter(({ to }) => to.includes(email));

test.each(LANGUAGES)(
  "START-05 a linked Telegram user and joined accounts are mailed, and the chat gets a message too (%s)",
  async (language) => {
    const { sql } = started.product.database;
    const [linking, joining] = [await newcomer(), await newcomer()];
    for (const { owner } of [linking, joining]) {
      await owner.client.from("profiles").update({ language }).eq("id", owner.id);
    }
    await allow(linking);
    await link(linking);
    await openTelegramBrowser(started.product).signIn({
      person: String(joining.telegramId),
      bot_access: "yes",
    });
    // The other account has an address of its own, which gets a mail as well.
    const other = await identityOf(joining.telegramId);
    const second = `second${made}@example.com`;
    await sql`update auth.users set email = ${second} where id = ${other}`;
    await sql`update public.profiles set language = ${language} where id = ${other}`;
    await allow(joining);
    await link(joining);
    expect((await joining.owner.client.rpc("join_my_accounts")).error).toBeNull();

    const words = mailTexts(language);
    const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject);
    const profile = `http://localhost:3000${localizedPath("/profile", language)}`;
    await expect.poll(() => subjectsTo(linking.owner.email)).toContain(words("telegram-linked.subject"));
    for (const email of [joining.owner.email, second]) {
      await expect.poll(() => subjectsTo(email)).toContain(words("accounts-joined.subject"));
      expect(subjectsTo(email)).not.toContain(words("account-deleted.subject"));
      expect(mailsTo(email).at(-1)?.text).toContain(profile);
    }
    const notices = await sql`
      select chat_id::text as chat from watch.alerts
      where kind = 'account-notice' and payload ->> 'notice' = 'accounts-joined' and user_id = ${joining.owner.id}`;
    expect([...notices]).toEqual([{ chat: String(joining.telegramId) }]);
  },
);

test("START-05 after the current password Telegram is disconnected, other devices are signed out, and it is mailed", async () => {
  const one = await newcomer();
  const { owner, telegramId, browser, password } = one;
  await allow(one);
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

test("START-05 a link ends with the session that allowed it", async () => {
  const one = await newcomer();
  await allow(one);
  const consent = await consentOf(one);
  const callback = await one.browser.choose(consent, { person: String(one.telegramId) });
  await one.owner.client.auth.signOut();
  expect((await one.browser.land(callback)).said).toMatchObject({ error_code: "reauthentication_needed" });
  expect(await identityOf(one.telegramId)).toBeUndefined();
});
