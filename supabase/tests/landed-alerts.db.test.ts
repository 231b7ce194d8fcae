import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { prepareDatabase } from "#backend/prepare-database.ts";
import { run } from "#test/postgres/migrated-postgres.ts";

const MIGRATIONS = "supabase/migrations";
/** The version before homes under a new code became new listings. */
const BEFORE = "20261118210000";

test("alerts of the landed version are kept: a home under a new code becomes new, and is still alerted once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-landed-"));
  const earlier = (await readdir(MIGRATIONS)).filter((file) => file < BEFORE);
  await Promise.all(earlier.map((file) => cp(join(MIGRATIONS, file), join(folder, file))));
  const name = `landed_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  await run(inject("serverUrl"), `create database ${name} template template0`);
  const sql = postgres(url.href, { onnotice: () => {} });
  try {
    await prepareDatabase({ databaseUrl: url.href, migrationsFolder: folder });
    const user = randomUUID();
    await sql`insert into auth.users (id, email) values (${user}, 'ana@example.com')`;
    const rows = [
      { kind: "new", listing_id: "1", event_key: "", payload: {}, state: "sent" },
      {
        kind: "readvertised",
        listing_id: "2",
        event_key: "",
        payload: { formerListingId: "1" },
        state: "pending",
      },
      { kind: "new", listing_id: "3", event_key: "an older key", payload: {}, state: "pending" },
      { kind: "price-drop", listing_id: "2", event_key: "900", payload: {}, state: "sent" },
    ];
    await sql`
      insert into watch.alerts ${sql(rows.map((row) => ({ ...row, user_id: user, chat_id: 7 })) as never)}`;
    await prepareDatabase({ databaseUrl: url.href, migrationsFolder: MIGRATIONS });
    const kept = await sql`
      select kind, listing_id, event_key, payload, state from watch.alerts order by position`;
    expect(kept.map((row) => ({ ...row }))).toEqual([
      rows[0],
      { ...rows[1], kind: "new" },
      { ...rows[2], event_key: "" },
      rows[3],
    ]);
    for (const listing of ["1", "2", "3"]) {
      await expect(
        sql`insert into watch.alerts (user_id, chat_id, kind, listing_id, payload) values (${user}, 7, 'new', ${listing}, '{}')`,
      ).rejects.toThrow("alert_exists_once");
    }
  } finally {
    await sql.end({ timeout: 1 });
    await run(inject("serverUrl"), `drop database ${name} with (force)`);
    await rm(folder, { recursive: true });
  }
});
