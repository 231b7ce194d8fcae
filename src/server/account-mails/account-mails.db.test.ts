import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createSecurityEvents } from "#backend/auth/events/security-events.ts";
import { type Person, signUp } from "#test/cast.ts";
import { withoutSignUps } from "#test/sign-in/sign-up-mails.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import healthDe from "#text/locales/de/health.json" with { type: "json" };
import healthEs from "#text/locales/es/health.json" with { type: "json" };
import { mailTexts } from "./render-mail.ts";

let product: TestProduct;
let people = 0;
let alice: Person;
let password: string;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
});

afterAll(() => product.stop());

beforeEach(async () => {
  people += 1;
  alice = await signUp(product, `alice-${people}`);
  password = `alice-${people}-password`;
});

const mailsTo = (email: string) =>
  withoutSignUps(product.mail.mails()).filter((mail) => mail.to.includes(email));
const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject);
const waiting = async () => {
  const [row] = await product.database.sql<{ count: number }[]>`
    select (select count(*) from private.account_mails)::int
      + (select count(*) from pgboss.job where name = 'send-mail')::int as count`;
  return row?.count;
};
const allSent = () => expect.poll(waiting).toBe(0);

const patience = { timeout: 60_000 };
/** Makes every waiting job due now. */
const tryAgain = () => product.database.sql`update pgboss.job set start_after = now() where state = 'retry'`;

async function connect(person: Person, chatId: number, title: string | null = null) {
  await product.database.sql`
    insert into public.chats (user_id, chat_id, kind, title, state, confirmed_at)
    values (${person.id}, ${chatId}, 'private', ${title}, 'connected', now())`;
}

test.each([
  ["en", "Your Sereno password was changed", "http://localhost:3000/profile"],
  ["es", "Tu contraseña de Sereno ha cambiado", "http://localhost:3000/es/profile"],
  ["ru", "Пароль от Sereno изменён", "http://localhost:3000/ru/profile"],
  ["de", "Dein Sereno-Passwort wurde geändert", "http://localhost:3000/de/profile"],
  ["fr", "Votre mot de passe Sereno a été modifié", "http://localhost:3000/fr/profile"],
])("DOOR-08 a changed password is mailed in the person's language (%s)", async (language, subject, link) => {
  await alice.client.from("profiles").update({ language }).eq("id", alice.id);
  const change = { password: "violet-harbour-27", current_password: password };
  expect((await alice.client.auth.updateUser(change)).error).toBeNull();
  await expect.poll(() => subjectsTo(alice.email)).toEqual([subject]);
  expect(mailsTo(alice.email)[0]?.text).toContain(link);
});

test("DOOR-08 a refused password, a new name and a sign-in send no mail", async () => {
  await alice.client.auth.updateUser({ password: "violet-harbour-27", current_password: "a guess" });
  await alice.client.auth.updateUser({ data: { full_name: "Alicia" } });
  await product.createClient().auth.signInWithPassword({ email: alice.email, password });
  await allSent();
  expect(subjectsTo(alice.email)).toEqual([]);
});

test("DOOR-08 a new chat is mailed once, with its name if the person may know it and otherwise its last digits", async () => {
  const { sql } = product.database;
  await connect(alice, 123_456_789, "Ana");
  await connect(alice, 987_651_234);
  await sql`insert into public.chats (user_id, chat_id, state) values (${alice.id}, 55, 'waiting')`;
  await expect.poll(() => mailsTo(alice.email)).toHaveLength(2);
  const texts = mailsTo(alice.email).map(({ text }) => text);
  expect(texts.some((text) => text.includes("“Ana”"))).toBe(true);
  expect(texts.some((text) => text.includes("ends in 1234"))).toBe(true);
  // Unblocking is not a new chat; confirming is.
  await sql`update public.chats set state = 'blocked' where user_id = ${alice.id} and chat_id = 123456789`;
  await sql`update public.chats set state = 'connected' where user_id = ${alice.id} and chat_id = 123456789`;
  await sql`update public.chats set state = 'connected' where user_id = ${alice.id} and chat_id = 55`;
  await expect.poll(() => mailsTo(alice.email)).toHaveLength(3);
  await allSent();
  expect(mailsTo(alice.email)).toHaveLength(3);
});

test("DOOR-08 a chat title that does not look like a name is not quoted in a mail", async () => {
  await connect(alice, 100_004_321, "Win now at https://evil.example <b>");
  await expect.poll(() => mailsTo(alice.email)).toHaveLength(1);
  const [mail] = mailsTo(alice.email);
  expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toContain("evil");
  expect(mail?.text).toContain("ends in 4321");
});

test("DOOR-08 deleting an account is mailed, and then the address is forgotten", async () => {
  await alice.client.from("profiles").update({ language: "de" }).eq("id", alice.id);
  expect((await alice.client.rpc("delete_my_account", { current_password: password })).error).toBeNull();
  await expect
    .poll(() => subjectsTo(alice.email), { timeout: 60_000 })
    .toEqual(["Dein Sereno-Konto wurde gelöscht"]);
  await allSent();
});

test("DOOR-08 a mail that cannot be sent is retried, and after a day it is dropped with its address", async () => {
  const { sql } = product.database;
  // The mail of the sign-up is not one of those that wait.
  await expect.poll(() => product.mail.mails().filter(({ to }) => to.includes(alice.email))).toHaveLength(1);
  await allSent();
  product.mail.setDown(true);
  try {
    expect((await alice.client.rpc("delete_my_account", { current_password: password })).error).toBeNull();
    await expect.poll(() => product.log()).toContain("a job failed and is tried again");
    expect(await waiting()).toBe(1);
  } finally {
    product.mail.setDown(false);
  }
  await expect.poll(() => tryAgain().then(() => subjectsTo(alice.email)), patience).toHaveLength(1);
  await sql`insert into private.account_mails (kind, email, created_at)
    values ('account-deleted', 'late@example.com', now() - interval '25 hours')`;
  await allSent();
  expect(subjectsTo("late@example.com")).toEqual([]);
  expect(product.log()).toContain("mail given up: the mail server took too long");
});

test.each(["en", "es", "ru", "de", "fr"] as const)(
  "MAIL-03 a person has the steps for alert mails sent to their own address, three a day (%s)",
  async (language) => {
    await alice.client.from("profiles").update({ language }).eq("id", alice.id);
    const ask = async () => (await alice.client.rpc("mail_alert_steps")).error?.details ?? "sent";
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      ...["sent", "sent", "sent"],
      "too-many-mails",
    ]);
    await allSent();
    const subject = mailTexts(language)("alert-mail-steps.subject");
    expect(subjectsTo(alice.email)).toEqual([subject, subject, subject]);
    const prefix = language === "en" ? "" : `/${language}`;
    expect(mailsTo(alice.email)[0]?.text).toContain(
      `http://localhost:3000${prefix}/filter-settings#alert-mails`,
    );
  },
);

test("DOOR-08 an account made with somebody else's address cannot fill that person's mailbox", async () => {
  for (let chat = 1; chat <= 14; chat += 1) await connect(alice, 200_000_000 + chat);
  await allSent();
  expect(mailsTo(alice.email).length).toBeLessThanOrEqual(10);
});

test("DOOR-08 what a stranger does with spellings of an address keeps no mail from its owner", async () => {
  const { sql } = product.database;
  await sql`insert into private.proven_addresses (user_id) values (${alice.id})`;
  const spellings = Array.from({ length: 12 }, (_, n) => alice.email.replace("@", `+${n}@`));
  await sql`insert into private.account_mails (kind, email) select 'account-deleted', unnest(${spellings}::text[])`;
  await allSent();
  expect(spellings.flatMap(mailsTo).length).toBeLessThanOrEqual(10);
  await sql`insert into private.account_mails (kind, user_id) values ('password-changed', ${alice.id})`;
  expect((await alice.client.rpc("delete_my_account", { current_password: password })).error).toBeNull();
  await expect
    .poll(() => subjectsTo(alice.email), patience)
    .toContain(mailTexts("en")("account-deleted.subject"));
});

test("READ-07: a sign-in from a new browser is mailed in the person's language", async () => {
  const { sql } = product.database;
  await alice.client.from("profiles").update({ language: "de" }).eq("id", alice.id);
  await sql`insert into private.proven_addresses (user_id) values (${alice.id})`;
  const events = createSecurityEvents({ sql, secret: "a secret of this test", now: Date.now });
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  await events.record({ kind: "sign_in", userId: alice.id, userAgent, address: "203.0.113.7" });
  await expect
    .poll(() => subjectsTo(alice.email), { timeout: 60_000 })
    .toEqual(["Neue Anmeldung in deinem Sereno-Konto"]);
  const [mail] = mailsTo(alice.email);
  expect(mail?.text).toContain("Firefox auf Linux");
  expect(mail?.text).toContain("http://localhost:3000/de/profile#sessions");
});

const HEALTH = { es: healthEs, de: healthDe } as const;

async function saveSearch({ id }: Person, chatId: number, state: string) {
  const { sql } = product.database;
  await sql`insert into public.filter_settings (user_id, filter_url, receiver_ids)
    values (${id}, 'https://www.idealista.com/venta-viviendas/madrid-madrid/', ${[String(chatId)]})`;
  await sql`update public.chats set state = ${state} where user_id = ${id}`;
}

/** Two machines run the check at once, after that many hours without a reachable chat. */
async function noteAfter(hours: number) {
  const { sql } = product.database;
  await sql`select watch.note_unreachable_people()`;
  await sql`update watch.unreachable_people set since = since - ${hours} * interval '1 hour' where mailed_at is null`;
  await Promise.all([
    sql`select watch.note_unreachable_people()`,
    sql`select watch.note_unreachable_people()`,
  ]);
  await allSent();
}

test.each([
  ["es", "blocked", 71, `${HEALTH.es.chatsLost.only.blocked}.`],
  ["de", "waiting", 72, `${HEALTH.de.waitingForYes.title}. ${HEALTH.de.waitingForYes.text}`],
] as const)(
  "TRUE-06 TRUE-01 a day without a reachable chat is mailed once, in the same words as everywhere (%s)",
  async (language, state, chatId, words) => {
    const { sql } = product.database;
    await alice.client.from("profiles").update({ language }).eq("id", alice.id);
    await saveSearch(alice, chatId, state);
    await noteAfter(23);
    expect(mailsTo(alice.email)).toEqual([]);
    await noteAfter(2);
    const [mail, ...more] = mailsTo(alice.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(mailTexts(language)("chats-lost.subject"));
    expect(mail?.text).toContain(words);
    expect(mail?.html).toContain(words);
    expect(mail?.text).toContain(`http://localhost:3000/${language}/filter-settings`);
    await noteAfter(48);
    expect(mailsTo(alice.email)).toHaveLength(1);
    // A chat was reachable in between, if only for a moment, so this is a new silence.
    await sql`update public.chats set state = 'connected' where user_id = ${alice.id}`;
    await sql`update public.chats set state = 'blocked' where user_id = ${alice.id}`;
    await noteAfter(23);
    await allSent();
    const before = mailsTo(alice.email).length;
    await noteAfter(2);
    expect(mailsTo(alice.email)).toHaveLength(before + 1);
  },
);

test("TRUE-06 people who paused, have no search or have a reachable chat again get no mail", async () => {
  const { sql } = product.database;
  await noteAfter(48);
  expect(mailsTo(alice.email)).toEqual([]);
  await saveSearch(alice, 73, "blocked");
  await noteAfter(20);
  // A pause resets the clock.
  await sql`update public.filter_settings set is_paused = true where user_id = ${alice.id}`;
  await noteAfter(48);
  await sql`update public.filter_settings set is_paused = false where user_id = ${alice.id}`;
  await noteAfter(20);
  await sql`update public.chats set state = 'connected' where user_id = ${alice.id}`;
  await noteAfter(48);
  await sql`insert into private.account_mails (kind, user_id) values ('chats-lost', ${alice.id})`;
  await allSent();
  expect(mailsTo(alice.email)).toEqual([]);
});

test("the log of these tests contains no address and no chat name", () => {
  expect(product.log()).toContain("mail sent");
  expect(product.log()).not.toMatch(/@example\.com|evil\.example|“Ana”/);
});
