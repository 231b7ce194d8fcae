import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { CLOSED_PORT } from "#test/closed-port.ts";
import { type FailedStart, startServerProcess } from "#test/server-process.ts";
import { TEST_TOKEN } from "#test/test-bot.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { findStartFaults } from "./start-faults.ts";

let folder: string;
let taken: Server;
let takenPort: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-faults-"));
  // Accepts connections and never answers.
  taken = createServer(() => {});
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  takenPort = (taken.address() as AddressInfo).port;
});

afterEach(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

/** The lines printed by a start that failed. */
async function faultsOf(settings: Record<string, string>, code: 1 | 78): Promise<string[]> {
  const error: FailedStart = await startServerProcess({ DATA_DIR: join(folder, "data"), ...settings }).then(
    async ({ child, exited }) => {
      child.kill("SIGTERM");
      await exited;
      throw new Error("it started");
    },
    (failed) => failed,
  );
  expect(error.code).toBe(code);
  expect(error.message).not.toMatch(/^\s+at /m);
  return error.message.split("\n");
}

test("SERV-05 RUN-07 all faults of a start are reported at once, one line each, without a stack trace or a secret", async () => {
  const telegram = await startTelegramSimulator();
  const lines = await faultsOf(
    {
      SMTP_URL: "",
      ROLES: "web,bot,mail",
      LOG_LEVEL: "loud",
      PORT: String(takenPort),
      MAIL_IN_PORT: String(takenPort),
      MAIL_IN_DOMAIN: "in.example.com",
      DATABASE_URL: `postgres://sereno:hunter22@127.0.0.1:${takenPort}/sereno`,
      TELEGRAM_BOT_TOKEN: TEST_TOKEN,
      TELEGRAM_BOT_USERNAME: "SomebodyElsesBot",
      TELEGRAM_API_ROOT: telegram.url,
      TRUSTED_PROXY: "1",
    },
    78,
  );
  expect(lines.map((line) => line.trim())).toEqual([
    "· TRUSTED_PROXY is not a setting; do you mean TRUSTED_PROXIES?",
    "Sereno cannot start (.env.example explains the settings):",
    expect.stringMatching(/^- LOG_LEVEL: /),
    "- SMTP_URL is missing (the web role needs it)",
    `- Port ${takenPort} is taken by another program; stop it, or choose another with PORT.`,
    `- Port ${takenPort} is taken by another program; stop it, or choose another with MAIL_IN_PORT.`,
    `- The database at 127.0.0.1:${takenPort} does not answer; see DATABASE_URL.`,
    `- TELEGRAM_BOT_USERNAME is SomebodyElsesBot, but the token is that of ${telegram.bot.username}; mend it, or leave it out.`,
  ]);
  expect(lines.join()).not.toMatch(/hunter22|AAH-simulated/);
  await telegram.close();
});

test("SERV-05 every kind of unusable database is reported in one sentence", async () => {
  const database = await createTestDatabase();
  const other = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };
  const place = `The database at 127.0.0.1:${new URL(database.url).port}`;
  const cases = {
    [`postgres://u:p@127.0.0.1:${CLOSED_PORT}/x`]: `The database at 127.0.0.1:${CLOSED_PORT} refuses connections: is it running, and does it listen there; see DATABASE_URL.`,
    "postgres://u:p@database.invalid/x":
      "The database at database.invalid:5432 has an unknown host name; see DATABASE_URL.",
    [other((url) => (url.password = "wrong"))]:
      `${place} refuses the user or the password; see DATABASE_URL.`,
    [other((url) => (url.pathname = "/not_there"))]:
      `${place} has no database of that name; see DATABASE_URL.`,
    [other((url) => (url.search = "?sslmode=require"))]:
      `${place} requires other encryption settings: see sslmode; see DATABASE_URL.`,
  };
  const said = await Promise.all(Object.keys(cases).map((url) => findStartFaults({ DATABASE_URL: url })));
  expect(said).toEqual(Object.values(cases).map((sentence) => [sentence]));
  await database.drop();
});

test.runIf(process.platform === "linux")(
  "RUN-07 a data folder in a place where nothing can be created is reported",
  async () => {
    expect(await findStartFaults({ DATA_DIR: "/proc/sereno/data" })).toEqual([
      "The data folder /proc/sereno/data cannot be created, written and made private (ENOENT); set DATA_DIR to another one.",
    ]);
  },
);

test("SERV-05 a data folder that cannot be written is reported in one sentence, and is not needed with an external database", async () => {
  const database = await createTestDatabase();
  const settings = { DATA_DIR: "/dev/null/sereno" };
  expect(await findStartFaults(settings)).toEqual([
    "The data folder /dev/null/sereno cannot be created, written and made private (ENOTDIR); set DATA_DIR to another one.",
  ]);
  expect(await findStartFaults({ ...settings, DATABASE_URL: database.url })).toEqual([]);
  await database.drop();
});

test.each(["192.0.2.1", "no-such-host.invalid"])(
  "SERV-05 a HOST or MAIL_IN_HOST that is not this machine, %s, is reported in one sentence",
  async (host) => {
    const ports = { PORT: 0, MAIL_IN_PORT: 0, ROLES: ["mail" as const] };
    const said = [
      await findStartFaults({ ...ports, HOST: host }),
      await findStartFaults({ ...ports, HOST: "127.0.0.1", MAIL_IN_HOST: host }),
    ];
    const sentence =
      /^HOST or MAIL_IN_HOST is .*, which isn't an address of this machine \(E\w+\); set it to 127\.0\.0\.1/;
    expect(said).toEqual([[expect.stringMatching(sentence)], [expect.stringMatching(sentence)]]);
  },
);

test("RUN-07 a fault of a service ends the start with 1, so that it is tried again", async () => {
  const lines = await faultsOf({ PORT: String(takenPort) }, 1);
  expect(lines).toEqual([
    `Port ${takenPort} is taken by another program; stop it, or choose another with PORT.`,
  ]);
});

test("RUN-07 neither a token that Telegram refuses nor an unreachable Telegram keeps the site from starting", async () => {
  const telegram = await startTelegramSimulator();
  const token = `${TEST_TOKEN.slice(0, -3)}xyz`;
  const settings = { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: telegram.url, ROLES: ["bot" as const] };
  expect(await findStartFaults(settings)).toEqual([]);
  await telegram.close();
  expect(await findStartFaults(settings)).toEqual([]);
});
