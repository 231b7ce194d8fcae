import type { Sql } from "postgres";

/** Replaces the now() of a test's own database, so that rows get times of the held clock too. */
export async function holdDatabaseClock(sql: Sql) {
  await sql.unsafe(`
    create schema held_clock;
    grant usage on schema held_clock to public;
    create table held_clock.moment (at timestamptz not null);
    grant select on held_clock.moment to public;
    insert into held_clock.moment select clock_timestamp();`);
  await sql.begin(async (db) => {
    await db.unsafe("set local allow_system_table_mods = on");
    await db.unsafe(`
      create or replace function pg_catalog.now() returns timestamptz language sql stable parallel safe
      as 'select at from held_clock.moment'`);
  });
  return {
    set: async (moment: number) => void (await sql`update held_clock.moment set at = ${new Date(moment)}`),
  };
}
