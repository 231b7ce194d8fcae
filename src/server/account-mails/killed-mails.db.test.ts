import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { queueAwayMail } from "#telegram/send/rows/away-mails.ts";
import { addAlerts, connectPeople, newListing } from "#test/delivery/delivery-fixture.ts";
import { type ServerProcess, startServerProcess } from "#test/server-process.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { startTestProduct } from "#test/test-product.ts";
import { mailTexts } from "./render-mail.ts";

const CHATS = [7001, 7002];
const t = mailTexts("en");
const [AWAY, NOTICE] = [t("alerts-waiting.subject"), t("password-changed.subject")];

test("RULE-07 SERV-07 processes killed during SMTP: waiting alerts are never mailed twice, and other mails are not lost", {
  tags: "long",
}, async () => {
  const [database, mail, folder] = await Promise.all([
    createTestDatabase(),
    startMailSimulator(),
    mkdtemp(join(tmpdir(), "sereno-killed-")),
  ]);
  const { sql } = database;
  const start = () =>
    startServerProcess({ DATABASE_URL: database.url, DATA_DIR: folder, SMTP_URL: mail.smtpUrl });
  const kill = async ({ child, exited }: ServerProcess) => {
    child.kill("SIGKILL");
    await exited;
  };
  /** The next process does it by itself once a heartbeat is ten seconds late. */
  const giveBackJobs = () =>
    sql`update pgboss.job set state = 'retry', start_after = now() where name = 'send-mail'`;
  const jobs = () => sql`select from pgboss.job where name = 'send-mail'`;

  const users = await connectPeople(
    sql,
    CHATS.map((id) => ({ chats: [{ id, kind: "private" as const }] })),
  );
  await sql`delete from private.account_mails`;
  const [anna = "", bert = ""] = users;
  const queueTwoMails = async (user: string) => {
    await addAlerts(sql, [newListing(user, CHATS[users.indexOf(user)] ?? 0, "9201")]);
    const alerts = await sql<{ id: string }[]>`select id from watch.alerts where user_id = ${user}`;
    await queueAwayMail(
      sql,
      user,
      alerts.map(({ id }) => id),
    );
    await sql`insert into private.account_mails (kind, user_id) values ('password-changed', ${user})`;
  };
  const sentTo = (user: string) => mail.mails().filter(({ to }) => to.includes(`${user}@example.org`));
  const expectOneOf = (user: string) => {
    const subjects = sentTo(user).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([AWAY, NOTICE, NOTICE].toSorted());
    const ids = sentTo(user).map(({ headers }) => headers["message-id"]);
    expect(new Set(ids).size).toBe(2);
  };

  // The mail server has received both mails and has not answered.
  mail.beforeAnswer(() => new Promise(() => {}));
  await queueTwoMails(anna);
  const first = await start();
  await expect.poll(() => sentTo(anna).length).toBe(2);
  await kill(first);
  await giveBackJobs();

  mail.beforeAnswer(async () => {});
  const second = await start();
  await expect.poll(jobs).toHaveLength(0);
  expectOneOf(anna);

  // The mail server has answered, and the process waits for a lock to record that.
  await sql.begin(async (db) => {
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    mail.beforeAnswer(() => mayAnswer);
    await queueTwoMails(bert);
    await expect.poll(() => sentTo(bert).length).toBe(2);
    await db`select from pgboss.job where name = 'send-mail' for update`;
    answer();
    const waiting = () => sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThanOrEqual(2);
    await kill(second);
    // Otherwise the server would still run what it received.
    for (const { pid } of await waiting()) await sql`select pg_terminate_backend(${pid}, 10000)`;
  });
  expect(await jobs()).toHaveLength(2);
  await giveBackJobs();

  mail.beforeAnswer(async () => {});
  const third = await startTestProduct({ DATABASE_URL: database.url, SMTP_URL: mail.smtpUrl });
  await expect.poll(jobs).toHaveLength(0);
  expectOneOf(bert);
  await third.stop();
  await Promise.all([database.drop(), mail.stop(), rm(folder, { recursive: true, force: true })]);
});
