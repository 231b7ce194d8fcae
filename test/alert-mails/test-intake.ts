import { randomBytes, randomUUID } from "node:crypto";
import { createConnection, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import { expect } from "vitest";
import { type MailIntakeOptions, startMailIntake } from "#alert-mails/create-mail-intake.ts";
import { createJobs } from "#platform/database/jobs.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { type AlertFacts, alertMail, makeDkimKey, signMail } from "./signed-mail.ts";

const TEST_DOMAIN = "in.example.com";
const PATIENCE = { timeout: 60_000, interval: 20 };

/** Generated once, because that is slow. */
const KEY = makeDkimKey();

export type TestIntake = Awaited<ReturnType<typeof startTestIntake>>;

/** Starts the mail intake on a new database. */
export async function startTestIntake(options: Partial<MailIntakeOptions> = {}, given?: TestDatabase) {
  const database = given ?? (await createTestDatabase());
  const log: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void log.push(JSON.stringify({ level, ...fields, message }));
  const logger = { info: write("info"), warn: write("warn"), error: write("error") };
  const records = new Map([[KEY.record.name, KEY.record.text]]);
  const sql = openDatabase({ url: database.url, max: 8 });
  const jobs = createJobs({ databaseUrl: database.url, logger });
  await jobs.start();
  const intake = await startMailIntake({
    sql,
    databaseUrl: database.url,
    jobs,
    door: { host: "127.0.0.1", port: 0, domain: TEST_DOMAIN },
    resolveText: async (name) => {
      const record = records.get(name);
      if (record === undefined) throw Object.assign(new Error(name), { code: "ENOTFOUND" });
      return [[record]];
    },
    now: Date.now,
    logger,
    ...options,
  });
  const port = intake.port ?? 0;
  const stop = async () => {
    await intake.stop();
    await jobs.stop();
    await sql.end({ timeout: 1 });
    if (!given) await database.drop();
  };
  return {
    database,
    sql: database.sql,
    jobs,
    intake,
    port,
    log,
    records,
    stop,
    ...actionsOf(database, port),
  };
}

function actionsOf({ sql }: TestDatabase, port: number) {
  const outcomes = async (userId: string) =>
    (
      await sql<{ outcome: string }[]>`
        select outcome from public.received_mails where user_id = ${userId} order by received_at, id`
    ).map(({ outcome }) => outcome);
  return {
    person: () => createMailPerson(sql),
    send: (raw: Buffer | string, ...to: string[]) => sendRaw(port, raw, to),
    outcomes,
    /** Waits until a user's mails have exactly these outcomes. */
    untilOutcomes: (userId: string, ...expected: string[]) =>
      expect.poll(() => outcomes(userId), PATIENCE).toEqual(expected),
    converse: () => openConversation(port),
  };
}

/** An account with an address for alert mails. */
export async function createMailPerson(sql: TestDatabase["sql"]) {
  const userId = randomUUID();
  const token = randomBytes(16).toString("hex");
  await sql`insert into auth.users (id, email) values (${userId}, ${`${userId}@example.com`})`;
  await sql`insert into public.mail_addresses (user_id, token) values (${userId}, ${token})`;
  return { userId, token, address: `${token}@${TEST_DOMAIN}` };
}

/** Sends the mail as a portal does. */
export function signedAlert(facts: Partial<AlertFacts> = {}): Promise<Buffer> {
  return signMail(alertMail({ code: "100000001", priceEur: 250_000, ...facts }), KEY);
}

/** Throws with `responseCode` if the mail is refused. */
async function sendRaw(port: number, raw: Buffer | string, to: readonly string[]): Promise<string> {
  const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  try {
    const { response } = await transport.sendMail({
      envelope: { from: "bounce@example.net", to: [...to] },
      raw,
    });
    return response;
  } finally {
    transport.close();
  }
}

/** A raw SMTP client that sends exactly what the test says. */
async function openConversation(port: number) {
  const socket: Socket = createConnection({ host: "127.0.0.1", port });
  let heard = "";
  let isClosed = false;
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("error", () => {});
  const conversation = {
    socket,
    heard: () => heard,
    write: (text: string | Buffer) => void socket.write(text),
    /** Waits until the server has sent this text. */
    receives: (pattern: RegExp) => expect.poll(() => heard, PATIENCE).toMatch(pattern),
    /** Sends a command and returns the answer. */
    ask: async (command: string) => {
      const before = heard.length;
      socket.write(`${command}\r\n`);
      await expect.poll(() => heard.slice(before), PATIENCE).toMatch(/^\d{3} .*\r\n$/m);
      return heard.slice(before);
    },
    isClosed: () => isClosed,
    untilClosed: () => expect.poll(() => isClosed, PATIENCE).toBe(true),
  };
  await conversation.receives(/^220 |^421 /);
  return conversation;
}
