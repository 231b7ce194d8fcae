import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServerProcess } from "#test/server-process.ts";
import { createTestDatabase } from "#test/test-database.ts";

const TERMINATE_FOR_MS = 3_000;
/** Longer than a statement may take, shorter than anything that hangs. */
const ANSWER_WITHIN_MS = 20_000;

test("RUN-02 connections that the server ends during sign-ups neither end nor hang the process, and lose no account", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-terminated-"));
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder, TRUSTED_PROXIES: "1" };
  const { child, port, exited } = await startServerProcess(settings);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  let exitCode: number | null | undefined;
  void exited.then((code) => {
    exitCode = code;
  });
  const url = `http://127.0.0.1:${port}`;
  const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as { publishableKey: string };
  let number = 0;
  const signUp = async () => {
    number += 1;
    const email = `person-${number}@example.com`;
    const answer = await fetch(`${url}/auth/v1/signup`, {
      method: "POST",
      headers: {
        apikey: publishableKey,
        "content-type": "application/json",
        // Each person has an address of their own, and so no share in another's limits.
        "x-forwarded-for": `192.0.${number >> 8}.${number & 255}`,
      },
      body: JSON.stringify({ email, password: "a-long-password" }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await answer.body?.cancel();
    return { email, status: answer.status };
  };

  const until = performance.now() + TERMINATE_FOR_MS;
  const isOver = () => performance.now() > until || exitCode !== undefined;
  const accepted: string[] = [];
  const statuses = new Set<number>();
  const signUps = Array.from({ length: 8 }, async () => {
    while (!isOver()) {
      const { email, status } = await signUp();
      statuses.add(status);
      if (status === 200) accepted.push(email);
    }
  });
  let ended = 0;
  while (!isOver()) {
    const rows = await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'sereno%' and random() < 0.3`;
    ended += rows.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(signUps);

  expect(exitCode).toBeUndefined();
  expect(ended).toBeGreaterThan(25);
  await expect.poll(async () => (await signUp()).status).toBe(200);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  const stored = await database.sql<{ email: string }[]>`select email from auth.users`;
  const emails = new Set(stored.map(({ email }) => email));
  expect(accepted.filter((email) => !emails.has(email))).toEqual([]);
  // Refused for the moment, never by a fault of ours.
  expect([...statuses].filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});
