import { afterAll, beforeAll, expect, test } from "vitest";
import { ImapServer } from "#test/alert-mails/imap-server.ts";
import { signedAlert, startTestIntake, type TestIntake } from "#test/alert-mails/test-intake.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
const DAY_MS = 86_400_000;
const PERSON = "reader@example.com";

let server: ImapServer;
let intake: TestIntake;
const userId = "00000000-0000-4000-8000-000000000001";

beforeAll(async () => {
  server = await new ImapServer().start();
  server.deliver(await signedAlert({ code: "300000001" }), new Date(Date.now() - 3 * DAY_MS));
  server.deliver(await signedAlert({ code: "300000002" }), new Date(Date.now() - 3_600_000));
  const mailbox = { url: server.url, folder: "INBOX", person: PERSON };
  intake = await startTestIntake({ door: undefined, mailbox });
});

afterAll(async () => {
  await intake.stop();
  await server.stop();
});

const found = async () =>
  (await intake.sql`select listing_id from public.listings where user_id = ${userId} order by 1`).map(
    (row) => Number(row.listing_id) - 300_000_000,
  );

test("MAIL-05 reading continues after any interruption, and the mailbox is not changed", async () => {
  // The account does not exist yet. This is logged once and retried.
  await expect.poll(() => intake.log.join(), PATIENCE).toContain("IMAP_PERSON has no account");
  await intake.sql`insert into auth.users (id, email) values (${userId}, 'Reader@example.com')`;
  await expect.poll(found, PATIENCE).toEqual([2]);

  await expect.poll(() => server.idles, PATIENCE).toBeGreaterThan(0);
  server.deliver(await signedAlert({ code: "300000003" }));
  server.deliver("From: a friend <friend@example.org>\r\nSubject: private\r\n\r\nnot for Sereno\r\n");
  await expect.poll(found, PATIENCE).toEqual([2, 3]);

  server.isDown = true;
  server.cut();
  server.deliver(await signedAlert({ code: "300000004" }));
  server.deliver(Buffer.concat([await signedAlert({ code: "300000005" }), Buffer.alloc(2_100_000, "a")]));
  server.deliver(await signedAlert({ code: "300000006" }));
  server.isDown = false;
  await expect.poll(found, PATIENCE).toEqual([2, 3, 4, 6]);

  server.isDown = true;
  server.cut();
  server.renumber();
  server.deliver(await signedAlert({ code: "300000007" }));
  server.isDown = false;
  await expect.poll(found, PATIENCE).toEqual([2, 3, 4, 6, 7]);

  const outcomes = await intake.outcomes(userId);
  expect(outcomes).toEqual(Array(5).fill("alert"));
  const [position] = await intake.sql`select uid_validity::int, last_uid::int from watch.mailboxes`;
  expect(position).toEqual({ uid_validity: 2, last_uid: 7 });
  expect(server.violations).toEqual([]);
  expect(intake.log.join()).not.toMatch(/secret|reader@|friend/i);
});
