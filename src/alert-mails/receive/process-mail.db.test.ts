import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alertMail, forwardingQuestion, makeDkimKey, signMail } from "#test/alert-mails/signed-mail.ts";
import { signedAlert, startTestIntake, type TestIntake } from "#test/alert-mails/test-intake.ts";
import { forgetOld } from "#watcher/rows/watch-housekeeping.ts";

const PATIENCE = { timeout: 60_000, interval: 20 };
const DAY_MS = 86_400_000;

let intake: TestIntake;

beforeAll(async () => {
  intake = await startTestIntake();
});

afterAll(() => intake.stop());

/** Does what the cron job does each minute. */
const lookForWaitingMails = () => intake.jobs.send({ name: "find-waiting-mails", retryLimit: 0 }, [{}]);

const listingsOf = (userId: string) =>
  intake.sql`select listing_id from public.listings where user_id = ${userId}`;

test("MAIL-02 only the portal's own signature over the whole mail is accepted; user and operator see the reason", async () => {
  const { userId, address } = await intake.person();
  const stranger = makeDkimKey("example.net");
  intake.records.set(stranger.record.name, stranger.record.text);
  const unsigned = alertMail({ code: "200000001", priceEur: 1_000 });
  const signed = (await signedAlert({ code: "200000002" })).toString("latin1");
  const forgeries = [
    unsigned,
    await signMail(unsigned, stranger),
    signed.replace("\r\n\r\n", "\r\n\r\nPHA+"),
    signed.replace("noresponder@", "somebody@"),
    `From: idealista <noresponder@idealista.com>\r\n${signed}`,
    signed.replace("From: idealista <", 'From: "a@fotocasa.es" <'),
  ];
  for (const forgery of forgeries) expect(await intake.send(forgery, address)).toMatch(/^250 /);
  const expected = forgeries.map((_, n) => (n === 4 ? "not-an-alert" : "not-signed")).toSorted();
  await expect.poll(async () => (await intake.outcomes(userId)).toSorted(), PATIENCE).toEqual(expected);
  expect(await listingsOf(userId)).toEqual([]);
  const reasons =
    await intake.sql`select why, portal from public.received_mails where outcome = 'not-signed'`;
  expect(reasons.map(({ why }) => why)).toContain("no signature of idealista.com");
  expect(reasons.every(({ why }) => why)).toBe(true);
  expect(intake.log.filter((line) => line.includes("is not signed by it"))).toHaveLength(5);

  // A portal's mail to another recipient belongs to the address that received it.
  await intake.send(await signedAlert({ code: "200000003", to: "bob@example.com" }), address);
  await expect.poll(() => listingsOf(userId), PATIENCE).toMatchObject([{ listing_id: "200000003" }]);
  expect(intake.log.join()).not.toMatch(/bob@|recipient-|noresponder|somebody|[0-9a-f]{32}/);
});

test("MAIL-02 MAIL-04 an unavailable key is looked up again for five days, also by another process", async () => {
  const asked: string[] = [];
  const resolveText = async (name: string) => {
    asked.push(name);
    throw Object.assign(new Error("no answer"), { code: "ETIMEOUT" });
  };
  const cutOff = await startTestIntake({ resolveText });
  const { userId, address } = await cutOff.person();
  for (const code of ["210000001", "210000002"]) await cutOff.send(await signedAlert({ code }), address);
  await cutOff.untilOutcomes(userId, "waiting-for-key", "waiting-for-key");
  expect(new Set(asked)).toEqual(new Set(["test._domainkey.idealista.com"]));
  expect(
    await cutOff.sql`select from watch.mails where next_try_at > now() and raw is not null`,
  ).toHaveLength(2);
  // One of the mails is now five days old.
  await cutOff.sql`
    update watch.mails set received_at = received_at - interval '6 days'
    where id = (select id from watch.mails order by id limit 1)`;
  await cutOff.sql`update watch.mails set next_try_at = now()`;
  await cutOff.jobs.send({ name: "find-waiting-mails", retryLimit: 0 }, [{}]);
  await expect
    .poll(async () => (await cutOff.outcomes(userId)).toSorted(), PATIENCE)
    .toEqual(["not-signed", "waiting-for-key"]);
  await cutOff.intake.stop();
  await cutOff.jobs.stop();

  const online = await startTestIntake({}, cutOff.database);
  await cutOff.sql`update watch.mails set next_try_at = now()`;
  await online.jobs.send({ name: "find-waiting-mails", retryLimit: 0 }, [{}]);
  await expect
    .poll(async () => (await online.outcomes(userId)).toSorted(), PATIENCE)
    .toEqual(["alert", "not-signed"]);
  await online.stop();
  await cutOff.stop();
});

test("MAIL-04 a mail whose processing fails delays no other; it is retried, then given up and deleted", async () => {
  const { userId, address } = await intake.person();
  await intake.sql`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'secret words'; end $$`;
  await intake.sql`
    create trigger fail before insert on public.listings for each row when (new.listing_id = '666') execute function fail()`;
  await intake.send(await signedAlert({ code: "666" }), address);
  await expect
    .poll(() => intake.sql`select attempts from watch.mails where user_id = ${userId}`, PATIENCE)
    .toMatchObject([{ attempts: 1 }]);
  await intake.send(await signedAlert({ code: "220000001" }), address);
  await intake.untilOutcomes(userId, "alert");

  await expect.poll(() => intake.log.join(), PATIENCE).toContain("could not process a mail");
  await intake.sql`update watch.mails set attempts = 11, next_try_at = now() where user_id = ${userId}`;
  await lookForWaitingMails();
  await expect
    .poll(async () => (await intake.outcomes(userId)).toSorted(), PATIENCE)
    .toEqual(["alert", "unreadable"]);
  const texts = () => intake.sql`select from watch.mails where user_id = ${userId} and raw is not null`;
  expect(await texts()).toHaveLength(1);
  await forgetOld(intake.sql, new Date(Date.now() + 4 * DAY_MS));
  expect(await texts()).toHaveLength(0);
  await forgetOld(intake.sql, new Date(Date.now() + 8 * DAY_MS));
  expect(await intake.sql`select from watch.mails where user_id = ${userId}`).toHaveLength(0);
  await forgetOld(intake.sql, new Date(Date.now() + 31 * DAY_MS));
  expect(await intake.outcomes(userId)).toEqual([]);
  expect(intake.log.join()).not.toContain("secret words");
});

test("MAIL-04 a mail whose job was lost is found, and only a user's newest 200 outcomes are kept", async () => {
  const { userId } = await intake.person();
  await intake.sql`
    insert into public.received_mails (user_id, received_at, outcome)
    select ${userId}, now() - n * interval '1 hour', 'digest' from generate_series(1, 250) as n`;
  await intake.sql`
    insert into watch.mails (user_id, raw, received_at, digest, next_try_at)
    values (${userId}, ${await signedAlert({ code: "230000001" })}, now(), ${randomBytes(32)}, now())`;
  await lookForWaitingMails();
  await expect.poll(async () => (await intake.outcomes(userId)).at(-1), PATIENCE).toBe("alert");
  expect(await intake.outcomes(userId)).toHaveLength(200);
});

test("MAIL-07 Gmail's forwarding question is shown on the page and sent to each connected chat once", async () => {
  const { userId, address } = await intake.person();
  const google = makeDkimKey("google.com");
  intake.records.set(google.record.name, google.record.text);
  await intake.sql`
    insert into public.chats (user_id, chat_id, state) values (${userId}, 1001, 'connected'), (${userId}, 1002, 'waiting')`;
  const link = "https://mail-settings.google.com/mail/vf-%5BANGjdJ-test-0123456789%5D-test";
  await intake.send(forwardingQuestion({ code: "999999999" }), address);
  for (let n = 0; n < 2; n++) await intake.send(await signMail(forwardingQuestion(), google), address);
  await intake.untilOutcomes(userId, "not-signed", "forwarding-question", "forwarding-question");
  const [shown] = await intake.sql`select * from public.mail_addresses where user_id = ${userId}`;
  expect(shown).toMatchObject({
    forwarding_code: "123456789",
    forwarding_link: link,
    forwarding_asked_at: expect.any(Date),
  });
  const alerts = await intake.sql`
    select chat_id::int, event_key, payload from watch.alerts where kind = 'forwarding-question'`;
  expect(alerts).toMatchObject([
    { chat_id: 1001, event_key: "123456789", payload: { code: "123456789", link } },
  ]);
});

test("MAIL-02 a hostile mail of two megabytes does not delay other mails", async () => {
  const { userId, address } = await intake.person();
  const head = "From: a@idealista.com\r\nDKIM-Signature: v=1; d=idealista.com; s=a; bh=a; b=a; h=from\r\n";
  const spite = [
    `${head}X: a${"\r\n b".repeat(500_000)}\r\n\r\n`,
    `${head.repeat(1)}\r\n${"<p>".repeat(600_000)}`,
    `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n".repeat(200_000)}`,
    `${head}\r\n${"\0\r\n \t\r\n".repeat(200_000)}`,
  ];
  for (const raw of spite) await intake.send(raw, address);
  await intake.send(await signedAlert({ code: "240000001" }), address);
  await expect.poll(async () => (await intake.outcomes(userId)).length, PATIENCE).toBe(5);
  expect((await intake.outcomes(userId)).filter((outcome) => outcome === "alert")).toHaveLength(1);
});
