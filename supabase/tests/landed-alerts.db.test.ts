import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createTestDatabase } from "#test/test-database.ts";

const MIGRATION = "supabase/migrations/20261118210000_alert_kinds.sql";

test("alerts of the landed version are kept: a home under a new code becomes new, and is still alerted once", async () => {
  const { sql, drop } = await createTestDatabase();
  try {
    // What the migration replaces.
    await sql.unsafe(`
      alter table watch.alert_kinds add column is_reply boolean not null default true;
      insert into watch.alert_kinds values ('readvertised', true, true, true, true, false);
      create unique index find_is_alerted_once on watch.alerts (user_id, chat_id, listing_id)
        where kind in ('new', 'readvertised');
      create function watch.may_notify(text, text, text, text) returns boolean language sql as 'select true';
    `);
    const user = randomUUID();
    await sql`insert into auth.users (id, email) values (${user}, 'ana@example.com')`;
    const alert = { user_id: user, chat_id: 7, state: "pending" };
    const rows = [
      { kind: "new", listing_id: "1", event_key: "", payload: {} },
      { kind: "readvertised", listing_id: "2", event_key: "", payload: { formerListingId: "1" } },
      { kind: "new", listing_id: "3", event_key: "an older key", payload: {} },
      { kind: "price-drop", listing_id: "2", event_key: "900", payload: {} },
    ];
    await sql`insert into watch.alerts ${sql(rows.map((row) => ({ ...alert, ...row })) as never)}`;
    await sql.unsafe(await readFile(MIGRATION, "utf8"));
    const kept = await sql`select kind, listing_id, event_key, payload from watch.alerts order by position`;
    expect(kept.map((row) => ({ ...row }))).toEqual([
      rows[0],
      { ...rows[1], kind: "new" },
      { ...rows[2], event_key: "" },
      rows[3],
    ]);
    for (const listing of ["1", "2", "3"]) {
      const again = { ...alert, kind: "new", listing_id: listing, payload: {} };
      await expect(sql`insert into watch.alerts ${sql(again as never)}`).rejects.toThrow("alert_exists_once");
    }
  } finally {
    await drop();
  }
});
