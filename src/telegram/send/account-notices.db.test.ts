import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { newListing } from "#test/delivery/delivery-fixture.ts";
import { startTwoSearches } from "#test/delivery/two-searches.ts";

const MINUTE = 60_000;

const { sql, delivery, messagesIn, close } = await startTwoSearches();
afterAll(close);

/** A user of Telegram without an address, with a search in the private chat. */
async function personWithoutAddress(createdAt = "2026-11-01T10:00:00Z") {
  const { user, chat } = await delivery.person("private");
  await sql`update auth.users set email = null, created_at = ${createdAt} where id = ${user}`;
  await sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${user}, 'custom:telegram', ${String(chat)}, '{}')`;
  return { user, chat };
}

const signInFrom = (user: string, browser: string) => sql`
  select private.record_auth_event(
    ${user}, 'sign_in', ${browser}, 'Linux', ${Buffer.from(browser)}, null, '2026-11-17T10:30:00Z'
  )`;

const statesOf = async (user: string) =>
  (await sql`select kind, state from watch.alerts where user_id = ${user} order by position`).map(
    ({ kind, state }) => `${kind} ${state}`,
  );

test.each(LANGUAGES)(
  "START-04 a notice is in the person's language (%s) and has a button",
  async (language) => {
    const { user, chat } = await personWithoutAddress();
    await sql`update public.profiles set language = ${language} where id = ${user}`;
    await signInFrom(user, "Firefox");
    const sender = await delivery.startSender();
    await delivery.run(sender, MINUTE);
    const prefix = language === "en" ? "" : `/${language}`;
    const [message] = messagesIn(chat);
    expect(message?.text).toMatch(/^🔔 .+\n.*Firefox.*Linux.*11(:|.h.)30/);
    const [[button] = []] = message?.reply_markup?.inline_keyboard ?? [];
    expect(button).toMatchObject({ url: expect.stringMatching(new RegExp(`${prefix}/profile#sessions$`)) });
  },
);

test.each(LANGUAGES)(
  "EASY-04 the session that makes an account is greeted, and the next new browser is reported (%s)",
  async (language) => {
    const { user, chat } = await personWithoutAddress("2026-11-17T10:29:58Z");
    await sql`update public.profiles set language = ${language} where id = ${user}`;
    await signInFrom(user, "Firefox");
    await signInFrom(user, "Firefox");
    await signInFrom(user, "Chrome");
    const sender = await delivery.startSender();
    await delivery.run(sender, MINUTE);
    const texts = delivery.textsIn(chat);
    expect(texts).toEqual([
      expect.stringMatching(/^🏮 .*Sereno\n/),
      expect.stringMatching(/^🔔 .+\n.*Chrome/),
    ]);
    const [[button] = []] = messagesIn(chat)[0]?.reply_markup?.inline_keyboard ?? [];
    expect(button).toMatchObject({ url: expect.stringMatching(/\/filter-settings$/) });
  },
);

test("START-04 what an account says of another chat shows no more than its last digits", async () => {
  const { user, chat } = await personWithoutAddress();
  await sql`
    insert into public.chats (user_id, chat_id, kind, title, state, confirmed_at)
    values (${user}, -1001234567, 'group', '<a href="https://evil.example">Sereno</a>', 'connected', now())`;
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  expect(delivery.textsIn(chat)).toEqual([
    expect.stringContaining("whose ID ends in 4567 now gets your alerts"),
  ]);
});

test("START-04 a notice is sent to a private chat that no search names, and only the notice", async () => {
  const { user, chat } = await personWithoutAddress();
  await sql`delete from public.chats where user_id = ${user}`;
  await delivery.add(newListing(user, chat, "1"));
  await signInFrom(user, "Chrome");
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  expect(delivery.textsIn(chat)).toEqual([expect.stringContaining("Sign-in from a new browser")]);
  expect(await statesOf(user)).toEqual(["new undeliverable", "account-notice sent"]);
});

test("START-04 a chat that blocks the bot ends its notices, and the account stays", async () => {
  const { user, chat } = await personWithoutAddress();
  await signInFrom(user, "Safari");
  await sql`select watch.set_standing(${chat}, 'blocked', 'blocked')`;
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  expect([delivery.textsIn(chat), await statesOf(user)]).toEqual([[], ["account-notice undeliverable"]]);
  expect(await sql`select from auth.users where id = ${user}`).toHaveLength(1);
});

test("START-04 a sender that is killed between taking and sending neither loses nor doubles a notice", async () => {
  const { user, chat } = await personWithoutAddress();
  await signInFrom(user, "Edge");
  // The first sender died after its lease and before its request.
  await sql`
    update watch.alerts set state = 'sending', lease_by = gen_random_uuid(), attempts = 1,
      lease_until = ${new Date(delivery.clock.now() + MINUTE)}
    where user_id = ${user}`;
  for (const _restart of [1, 2]) {
    const sender = await delivery.startSender();
    await delivery.run(sender, 3 * MINUTE);
  }
  expect(delivery.textsIn(chat)).toHaveLength(1);
  expect(await statesOf(user)).toEqual(["account-notice sent"]);
});

test("START-04 the event and its notice are one transaction", async () => {
  const { user } = await personWithoutAddress();
  await expect(
    sql.begin(async (db) => {
      await db`insert into private.account_mails (kind, user_id) values ('chats-lost', ${user})`;
      throw new Error("killed");
    }),
  ).rejects.toThrow("killed");
  expect(await statesOf(user)).toEqual([]);
});
