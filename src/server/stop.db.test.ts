import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import { childrenOf, findPostmaster } from "#backend/postgres/postmaster.ts";
import {
  databaseUrlOf,
  isAlive,
  launchServe,
  makeStartedFolder,
  postmasterOf,
  type ServerProcess,
  startServerProcess,
} from "#test/server-process.ts";
import { startProgram } from "../../scripts/program.ts";
import type { PublicConfig } from "./public-config.ts";

// The product's own ten seconds, and room for a machine that is busy with other tests.
const GONE_WITHIN_MS = 15_000;

let started: Awaited<ReturnType<typeof makeStartedFolder>>;
let folder: string;
let dataDir: string;

beforeAll(async () => {
  started = await makeStartedFolder();
});

afterAll(() => started.remove());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sereno-stop-"));
  dataDir = join(folder, "data");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const startAgain = () => {
  started.copyTo(dataDir);
  return startServerProcess({ DATA_DIR: dataDir });
};

/** A person, and the test itself, keep every connection of the people busy for ten minutes. */
async function keepBusy(server: ServerProcess): Promise<postgres.Sql> {
  const sql = postgres(await databaseUrlOf(dataDir), { max: 25, onnotice: () => {}, fetch_types: false });
  await sql.unsafe(`
    create policy "People wait for their profile" on public.profiles as restrictive for select to authenticated
      using (pg_sleep(600)::text = '')`);
  const url = `http://127.0.0.1:${server.port}`;
  const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as PublicConfig;
  const client = createClient(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  await client.auth.signUp({ email: "slow@example.com", password: "slow-password" });
  for (let n = 0; n < 21; n += 1)
    void client
      .from("profiles")
      .select("*")
      .then(() => {});
  for (let n = 0; n < 21; n += 1) sql`select pg_sleep(600)`.catch(() => {});
  await vi.waitFor(
    async () => {
      const [row] =
        await sql`select count(*)::int as asleep from pg_stat_activity where wait_event = 'PgSleep'`;
      expect(row?.asleep).toBeGreaterThanOrEqual(25);
    },
    { timeout: 60_000, interval: 50 },
  );
  return sql;
}

/** How long it takes until the process has ended, and which processes of the database have outlived it. */
async function stopAndLook(act: () => Promise<unknown>): Promise<{ tookMs: number; left: number[] }> {
  const { pid } = await postmasterOf(dataDir);
  const family = [pid, ...(await childrenOf(pid))];
  expect(family.length).toBeGreaterThan(1);
  const startedAt = performance.now();
  await act();
  const tookMs = performance.now() - startedAt;
  return { tookMs, left: family.filter(isAlive) };
}

const signal = (server: ServerProcess, ...names: NodeJS.Signals[]) => {
  for (const name of names) server.child.kill(name);
  return server.exited;
};

test("DOOR-02 SERV-01 a stop ends product and database though slow statements hold the connections", async () => {
  const server = await startAgain();
  const busy = await keepBusy(server);
  // As Ctrl-C does where every process of the group gets the signal and also passes it on.
  const { tookMs, left } = await stopAndLook(() => signal(server, "SIGTERM", "SIGINT"));
  expect([await server.exited, left]).toEqual([0, []]);
  expect(tookMs).toBeLessThan(GONE_WITHIN_MS);
  await busy.end({ timeout: 0 });
});

test("SERV-01 a closed terminal stops it too, and a database process that no longer reacts is ended", {
  tags: "long",
}, async () => {
  const server = await startAgain();
  const sql = postgres(await databaseUrlOf(dataDir), { max: 1, onnotice: () => {}, fetch_types: false });
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  process.kill(row?.pid ?? 0, "SIGSTOP");
  const { tookMs, left } = await stopAndLook(() => signal(server, "SIGHUP"));
  expect([await server.exited, left]).toEqual([0, []]);
  expect(tookMs).toBeLessThan(GONE_WITHIN_MS);
  await sql.end({ timeout: 0 });
});

test.each(["Bringing the database up to date", "Starting the web server"])(
  "SERV-01 a stop while it says %j leaves no process behind",
  { tags: "long" },
  async (when) => {
    // Only a first start has anything to bring up to date.
    if (when === "Starting the web server") started.copyTo(dataDir);
    let child: ChildProcess | undefined;
    const starting = startServerProcess({ DATA_DIR: dataDir }, (step, started) => {
      if (step === when) started.kill("SIGTERM");
      child = started;
    });
    // It may have been ready before the signal came; either way it ends, and in good order.
    await starting.then(
      ({ exited }) => exited,
      () => {},
    );
    expect(child?.exitCode).toBe(0);
    expect(await findPostmaster(join(dataDir, "postgres"))).toBeUndefined();
  },
);

/** As `npm start` starts it. */
function startProduct(onExit: (code: number) => void = () => {}) {
  return startProgram({
    path: "src/server/main.ts",
    environment: {
      PORT: "0",
      ROLES: "web",
      DATA_DIR: dataDir,
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Sereno <sereno@example.com>",
    },
    databaseFolder: join(dataDir, "postgres"),
    stdout: 2,
    onStep: () => {},
    onExit,
  });
}

test("SERV-01 a product that does not react is killed by its parent process, together with its database", {
  tags: "long",
}, async () => {
  started.copyTo(dataDir);
  const program = startProduct();
  await program.ready;
  process.kill(program.pid ?? 0, "SIGSTOP");
  const { tookMs, left } = await stopAndLook(program.stop);
  expect([isAlive(program.pid ?? 0), left]).toEqual([false, []]);
  expect(tookMs).toBeLessThan(GONE_WITHIN_MS);
});

test("SERV-01 a second start on the same data is refused and leaves the running product alone", async () => {
  started.copyTo(dataDir);
  const first = startProduct();
  await first.ready;
  const refused = Promise.withResolvers<number>();
  const second = startProduct(refused.resolve);
  expect(await refused.promise).toBe(1);
  const { pid } = await postmasterOf(dataDir);
  await second.stop();
  expect([isAlive(first.pid ?? 0), isAlive(pid)]).toEqual([true, true]);
  await first.stop();
  expect(isAlive(pid)).toBe(false);
});

/** `npm run serve` as a terminal starts it; `bench/stop.ts` does it more often. */
async function startUnderLauncher() {
  started.copyTo(dataDir);
  const port = await freePort();
  const launched = launchServe({
    DATA_DIR: dataDir,
    PORT: String(port),
    SITE_URL: `http://localhost:${port}`,
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 60_000, interval: 50 });
  return launched;
}

test("SERV-01 Ctrl-C, which reaches every process of the group, ends launcher, product and database", async () => {
  const { pid, exited } = await startUnderLauncher();
  const programs = [pid, ...(await childrenOf(pid))];
  const { tookMs, left } = await stopAndLook(async () => {
    process.kill(-pid, "SIGINT");
    await exited;
  });
  expect([await exited, left, programs.filter(isAlive)]).toEqual([0, [], []]);
  expect(tookMs).toBeLessThan(GONE_WITHIN_MS);
});

test("SERV-01 a product that does not react is ended by its launcher, with its database", {
  tags: "long",
}, async () => {
  const { pid, exited } = await startUnderLauncher();
  const [product = 0] = await childrenOf(pid);
  process.kill(product, "SIGSTOP");
  const { tookMs, left } = await stopAndLook(async () => {
    process.kill(pid, "SIGTERM");
    await exited;
  });
  await expect.poll(() => [product, ...left].filter(isAlive)).toEqual([]);
  expect(tookMs).toBeLessThan(GONE_WITHIN_MS);
});
