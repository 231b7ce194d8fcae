import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { SEQUENCE_SEED, seeded } from "#test/seeded.ts";
import { databaseUrlOf, isAlive, postmasterOf, startServerProcess } from "#test/server-process.ts";

/** `bench/kill-product.ts` does it more often. */
const KILLS = 20;
const random = seeded(SEQUENCE_SEED);

test(`kills -9 at random moments during writes lose no acknowledged row (seed ${SEQUENCE_SEED})`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-kill-"));
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const server = await startServerProcess({ DATA_DIR: dataDir });
    const url = await databaseUrlOf(dataDir);
    expect(await missingOf(url, acknowledged)).toEqual([]);

    const writing = writeUntilCut(url, round, acknowledged);
    await new Promise((resolve) => setTimeout(resolve, 20 + random() * 300));
    const { pid } = await postmasterOf(dataDir);
    server.child.kill("SIGKILL");
    // Every other time the database dies too; otherwise it is left behind without an owner.
    if (round % 2 === 0) process.kill(pid, "SIGKILL");
    await server.exited;
    if (round % 2 === 1) await writing.stop();
    await writing.ended;
  }
  const server = await startServerProcess({ DATA_DIR: dataDir });
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(await missingOf(await databaseUrlOf(dataDir), acknowledged)).toEqual([]);
  const { pid } = await postmasterOf(dataDir);
  server.child.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
  await rm(dataDir, { recursive: true });
});

/** Writes rows one by one through two connections and notes each that the database acknowledged. */
function writeUntilCut(url: string, round: number, acknowledged: string[]) {
  const sql = postgres(url, { max: 2, fetch_types: false, onnotice: () => {}, connect_timeout: 2 });
  let isStopped = false;
  const writer = async (name: string) => {
    for (let row = 0; !isStopped; row += 1) {
      const id = `${round}-${name}-${row}`;
      try {
        await sql`insert into public.demo_listings (demo_id, filter_id, details) values (${id}, gen_random_uuid(), '{}')`;
      } catch {
        return;
      }
      acknowledged.push(id);
    }
  };
  const ended = Promise.all([writer("a"), writer("b")]).then(() => sql.end({ timeout: 0 }));
  return {
    ended,
    stop: async () => {
      isStopped = true;
      await sql.end({ timeout: 0 });
    },
  };
}

async function missingOf(url: string, ids: string[]): Promise<string[]> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    const rows = await sql<{ demo_id: string }[]>`select demo_id from public.demo_listings`;
    const there = new Set(rows.map((row) => row.demo_id));
    return ids.filter((id) => !there.has(id));
  } finally {
    await sql.end();
  }
}
