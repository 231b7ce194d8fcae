import type { Sql, TransactionSql } from "postgres";

export interface MailboxPosition {
  readonly mailbox: string;
  readonly uidValidity: string;
  readonly lastUid: number;
  readonly seenAt: Date;
}

export async function findPersonByEmail(sql: Sql, email: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from auth.users where lower(email) = lower(${email}) order by created_at limit 1`;
  return row?.id;
}

export async function readMailboxPosition(sql: Sql, userId: string): Promise<MailboxPosition | undefined> {
  const [row] = await sql<MailboxPosition[]>`
    select mailbox, uid_validity::text as "uidValidity", last_uid::float8 as "lastUid", seen_at as "seenAt"
    from watch.mailboxes where user_id = ${userId}`;
  return row;
}

export async function writeMailboxPosition(
  db: TransactionSql,
  userId: string,
  { mailbox, uidValidity, lastUid, seenAt }: MailboxPosition,
): Promise<void> {
  await db`
    insert into watch.mailboxes (user_id, mailbox, uid_validity, last_uid, seen_at)
    values (${userId}, ${mailbox}, ${uidValidity}, ${lastUid}, ${seenAt})
    on conflict (user_id) do update set
      mailbox = excluded.mailbox, uid_validity = excluded.uid_validity, last_uid = excluded.last_uid,
      seen_at = excluded.seen_at`;
}
