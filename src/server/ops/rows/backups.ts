import type { Sql } from "postgres";

/** Notes that a process with a backup folder runs. */
export async function noteBackupWanted(sql: Sql, now: Date): Promise<void> {
  await sql`
    insert into watch.backups (wanted_since, wanted_at) values (${now}, ${now})
    on conflict (is_only) do update set wanted_at = excluded.wanted_at`;
}

/** Whether the last backup is older than the given number of hours, or there is none. */
export async function isBackupDue(sql: Sql, hours: number, now: Date): Promise<boolean> {
  const [row] = await sql<[{ isDue: boolean }]>`
    select not exists (
      select from watch.backups where made_at > ${now}::timestamptz - ${hours} * interval '1 hour'
    ) as "isDue"`;
  return row.isDue;
}

export async function noteBackup(sql: Sql, sizeBytes: number, now: Date): Promise<void> {
  await sql`update watch.backups set made_at = ${now}, size_bytes = ${sizeBytes}`;
}

/** Whether backups are wanted and none was made for 26 hours. A week after the last process with a folder, none are wanted. */
export async function isBackupLate(sql: Sql, now: Date): Promise<boolean> {
  const [row] = await sql<[{ isLate: boolean }]>`
    select exists (
      select from watch.backups
      where coalesce(made_at, wanted_since) < ${now}::timestamptz - interval '26 hours'
        and wanted_at > ${now}::timestamptz - interval '7 days'
    ) as "isLate"`;
  return row.isLate;
}
