import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { beginAwayMail } from "#telegram/send/rows/away-mails.ts";
import { connectPeople, newListing, openChat } from "#test/delivery/delivery-fixture.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { timeOfDay } from "#text/moments.ts";
import { translatorOf } from "#text/translator.ts";
import { mailTexts } from "./render-mail.ts";
import { mailWaitingAlerts } from "./send-mails.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const patience = { timeout: 60_000 };

let product: TestProduct;
let sql: Sql;
let now = 0;

beforeAll(async () => {
  product = await startTestProduct();
  sql = openDatabase({ url: product.database.url, max: 4 });
  now = Date.now();
});
afterAll(async () => {
  await sql.end();
  await product.stop();
});

const mails = () => product.mail.mails().filter(({ headers }) => "list-unsubscribe" in headers);
const mailsTo = (user: string) => mails().filter(({ to }) => to.includes(`${user}@example.org`));
const allTaken = () =>
  expect
    .poll(
      async () =>
        (
          await sql`select from private.account_mails
            union all select from pgboss.job where name = 'send-mail'`
        ).length,
      patience,
    )
    .toBe(0);
/** Two machines run the job at once. */
async function mailAll() {
  await Promise.all([mailWaitingAlerts(sql, Date.now()), mailWaitingAlerts(sql, Date.now())]);
  await allTaken();
}

async function newPeople(delivery: DeliveryRun, count: number) {
  const chats = Array.from({ length: count }, () => openChat(delivery.telegram, "private"));
  const users = await connectPeople(
    sql,
    chats.map((id) => ({ chats: [{ id, kind: "private" as const }] })),
  );
  await sql`
    insert into private.proven_addresses (user_id)
    select value::uuid from jsonb_array_elements_text(${sql.json(users)}) as value`;
  // The mails about their new chats go first.
  await allTaken();
  return users.map((user, place) => ({ user, chat: chats[place] ?? 0 }));
}

const startedAgo = (ms: number) => startDeliveryRun({ sql, startMs: now - ms });
afterEach(async () => {
  // The next simulator gives its chats the same numbers, and its clock starts earlier.
  for (const table of [
    "watch.alerts",
    "watch.sender",
    "watch.chat_paces",
    "public.searches",
    "public.chats",
    "watch.chats",
  ]) {
    await sql`delete from ${sql(table)}`;
  }
});

test("RULE-07 Telegram down for two hours with 200 alerts for 20 people: one mail each, and every alert once afterwards", {
  tags: "long",
}, async () => {
  const delivery = await startedAgo(2 * HOUR);
  const people = await newPeople(delivery, 20);
  for (const [place, { user }] of people.entries()) {
    await sql`update public.profiles set language = ${LANGUAGES[place % 5] ?? "en"} where id = ${user}`;
  }
  delivery.telegram.faults.set({ kind: "error", errorCode: 502, forMs: 2 * HOUR - MINUTE });
  await delivery.add(
    ...people.flatMap(({ user, chat }, place) =>
      Array.from({ length: 10 }, (_, n) =>
        newListing(user, chat, `${place * 10 + n + 1000}`, { priceEur: 900 + n }),
      ),
    ),
  );
  const sender = await delivery.startSender();
  // Each chat is tried once a minute. The middle of the outage brings nothing new.
  await delivery.run(sender, 5 * MINUTE);
  delivery.clock.advance(2 * HOUR - 10 * MINUTE);
  await delivery.run(sender, 3 * MINUTE);
  expect(await delivery.states()).toEqual(["200 pending"]);

  await mailAll();
  await mailAll();
  expect(mails()).toHaveLength(20);
  for (const [place, { user }] of people.entries()) {
    const [mail, ...more] = mailsTo(user);
    expect(more).toEqual([]);
    const t = mailTexts(LANGUAGES[place % 5] ?? "en");
    expect(mail?.subject).toBe(t("alerts-waiting.subject"));
    for (let n = 0; n < 10; n += 1) expect(mail?.text).toContain(`/inmueble/${place * 10 + n + 1000}/`);
  }

  await delivery.run(sender, 5 * MINUTE);
  expect(await delivery.states()).toEqual(["200 sent"]);
  for (const [place, { user, chat }] of people.entries()) {
    // The mails may be sent in different minutes.
    const [alert] =
      await sql`select extract(epoch from mailed_at) * 1000 as ms from watch.alerts where user_id = ${user}`;
    const texts = delivery.textsIn(chat);
    expect(texts).toHaveLength(10);
    expect(new Set(texts).size).toBe(10);
    const language = LANGUAGES[place % 5] ?? "en";
    const line = translatorOf("alert")(language)("mailedAt", {
      time: timeOfDay(Number(alert?.ms), language),
    });
    for (const text of texts) expect(text).toContain(`✉️ ${line}`);
  }
  await mailAll();
  expect(mails()).toHaveLength(20);
  await delivery.close();
});

test("RULE-07 CALM-02 a refused token counts as away; a second mail comes after six hours and lists only new homes, each once", async () => {
  const delivery = await startedAgo(HOUR);
  const [anna] = await newPeople(delivery, 1);
  if (anna === undefined) throw new Error("nobody");
  delivery.telegram.faults.set({ kind: "error", errorCode: 401, forMs: 12 * HOUR });
  await delivery.add(newListing(anna.user, anna.chat, "7001"));
  const sender = await delivery.startSender();
  await delivery.run(sender, 29 * MINUTE);
  // The database's clock is an hour ahead of the sender's: everything moves half an hour closer.
  await sql`update watch.sender set refused_since = now() - interval '29 minutes'`;
  await mailAll();
  expect(mailsTo(anna.user)).toEqual([]);
  await sql`update watch.sender set refused_since = now() - interval '31 minutes'`;
  await mailAll();
  expect(mailsTo(anna.user)).toHaveLength(1);

  // One home, advertised twice.
  await sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at)
    select id, '{}', '{}', 1, '7002', now(), now() from unnest(array['7002', '7003']) as id`;
  await delivery.add(newListing(anna.user, anna.chat, "7002"));
  await delivery.add(newListing(anna.user, anna.chat, "7003"));
  const later = async (hours: number) =>
    sql`update watch.away_mails set mailed_at = mailed_at - ${hours} * interval '1 hour'`;
  await later(5);
  await mailAll();
  expect(mailsTo(anna.user)).toHaveLength(1);
  await later(2);
  await mailAll();
  const [second] = mailsTo(anna.user);
  expect(mailsTo(anna.user)).toHaveLength(2);
  expect(second?.text).toContain("1 home is waiting");
  expect(second?.text).toContain("/inmueble/7003/");
  expect(second?.text).not.toMatch(/inmueble.700[12]/);
  await delivery.close();
});

test("RULE-07 no mail for a blocked chat, quiet hours, a hidden home, an unproved address or a person who switched it off", async () => {
  const delivery = await startedAgo(HOUR);
  const people = await newPeople(delivery, 6);
  const [blocked, quiet, hiding, unproved, off, proved] = people;
  if (!(blocked && quiet && hiding && unproved && off && proved)) throw new Error("nobody");
  delivery.telegram.faults.set({ kind: "error", errorCode: 502, forMs: 12 * HOUR });
  await delivery.add(...people.map(({ user, chat }, place) => newListing(user, chat, `${8000 + place}`)));
  await delivery.run(await delivery.startSender(), 40 * MINUTE);
  await sql`update public.chats set state = 'blocked' where user_id = ${blocked.user}`;
  await sql`update watch.chats set muted_until = now() + interval '1 day' where chat_id = ${quiet.chat}`;
  await sql`insert into public.marks (user_id, listing_id, mark) values (${hiding.user}, '8002', 'hidden')`;
  await sql`delete from private.proven_addresses where user_id = ${unproved.user}`;
  await sql`update public.profiles set mails_when_away = false where id = ${off.user}`;
  await mailAll();
  const mailed = people.filter(({ user }) => mailsTo(user).length > 0);
  expect(mailed).toEqual([proved]);
  await delivery.close();
});

test("RULE-07 a chat that fails alone is not an outage, and an answer ends one", async () => {
  const delivery = await startedAgo(2 * HOUR);
  const people = await newPeople(delivery, 2);
  const [one, other] = people;
  if (!(one && other)) throw new Error("nobody");
  const away = async () => (await sql`select from watch.sender where away_since is not null`).length;
  const sender = await delivery.startSender();
  const fault = { kind: "error", errorCode: 403, description: "Forbidden: something new" } as const;
  delivery.telegram.faults.set({ ...fault, chatId: one.chat, forMs: 12 * HOUR });
  await delivery.add(newListing(one.user, one.chat, "9001"));
  await delivery.run(sender, HOUR);
  expect(await away()).toBe(0);
  delivery.telegram.faults.set({ kind: "reset", chatId: other.chat, times: 1 });
  await delivery.add(newListing(other.user, other.chat, "9002"));
  await delivery.run(sender, 2_000);
  expect(await away()).toBe(1);
  // The state outlives the process.
  const successor = await delivery.startSender();
  await delivery.run(successor, MINUTE);
  expect(await away()).toBe(0);
  await mailAll();
  expect(people.flatMap(({ user }) => mailsTo(user))).toEqual([]);
  await delivery.close();
});

test("RULE-07 a mail whose process died while sending it is not sent again; one that the mail server refused is", async () => {
  const delivery = await startedAgo(HOUR);
  const [dead, late] = await newPeople(delivery, 2);
  if (!(dead && late)) throw new Error("nobody");
  await sql`insert into watch.sender (away_since) values (now() - interval '1 hour')`;
  await delivery.add(newListing(dead.user, dead.chat, "9101"), newListing(late.user, late.chat, "9102"));
  product.mail.setDown(true);
  await mailWaitingAlerts(sql, Date.now());
  const waiting = () => sql<{ data: { to: string; once: { userId: string; mailedAt: string } } }[]>`
    select data from pgboss.job where name = 'send-mail' and state = 'retry'`;
  await expect.poll(async () => (await waiting()).length, patience).toBe(2);
  const ofDead = (await waiting()).find(({ data }) => data.to.startsWith(dead.user));
  if (ofDead === undefined) throw new Error("no job");
  // As the process that dies now did before it handed the mail over.
  await expect.poll(() => beginAwayMail(sql, ofDead.data.once), patience).toBe(true);
  product.mail.setDown(false);
  await sql`update pgboss.job set start_after = now() where state = 'retry'`;
  await allTaken();
  expect(mailsTo(dead.user)).toEqual([]);
  expect(mailsTo(late.user)).toHaveLength(1);
  await delivery.close();
});

test("RULE-07 the link in the mail switches these mails off without a sign-in, and nothing else", async () => {
  const [mail] = mails();
  expect(mail?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  const link = new URL(/^<(.+)>$/.exec(mail?.headers["list-unsubscribe"] ?? "")?.[1] ?? "");
  expect(link.pathname).toMatch(/^(?:\/(?:es|ru|de|fr))?\/stop-mails$/);
  expect(mail?.text).toContain(link.href);
  const post = (key: string) =>
    fetch(`${product.url}${link.pathname}?key=${encodeURIComponent(key)}`, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
  const everything = () => sql<{ id: string; mails_when_away: boolean }[]>`
    select to_jsonb(profiles) as row, id, mails_when_away from public.profiles order by id`;
  const before = await everything();
  for (const key of ["", "x", "A".repeat(22), `${link.searchParams.get("key")}x`, "' or true --"]) {
    expect((await post(key)).status).toBe(404);
  }
  // Opening the link is not enough: mail scanners open every link.
  await fetch(`${product.url}${link.pathname}${link.search}`);
  expect(await everything()).toEqual(before);
  expect((await post(link.searchParams.get("key") ?? "")).status).toBe(200);
  const changed = (await everything()).filter(
    (row, place) => row.mails_when_away !== before[place]?.mails_when_away,
  );
  expect(changed.map(({ id }) => `${id}@example.org`)).toEqual(mail?.to);
  const answers = await Promise.all(Array.from({ length: 70 }, () => post("A".repeat(22))));
  expect(answers.map(({ status }) => status)).toContain(429);
  expect(product.log()).not.toContain(link.searchParams.get("key") ?? "?");
});
