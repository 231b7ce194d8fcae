import type { Sql } from "postgres";

export interface WaitingMail {
  readonly id: string;
  readonly kind: "password-changed" | "chat-connected" | "account-deleted";
  readonly email: string;
  readonly language: string | null;
  readonly fullName: string | null;
  readonly chatId: string | null;
  /** Null for a chat whose name is not the person's to know. */
  readonly chatTitle: string | null;
  readonly attempts: number;
}

/** Another process may take the mail up again after this long: the one that had it is gone. */
const LEASE_MS = 120_000;
const GIVEN_UP_AFTER_MS = 86_400_000;

/** The next mail that is due, for this process alone. */
export async function claimAccountMail(sql: Sql, now: Date): Promise<WaitingMail | undefined> {
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const [mail] = await sql<WaitingMail[]>`
    with claimed as (
      update private.account_mails set attempts = attempts + 1, not_before = ${leaseUntil}
      where id = (
        select id from private.account_mails where not_before <= ${now} order by not_before, id limit 1
        for update skip locked
      )
      returning *
    )
    select claimed.id::text, claimed.kind, claimed.attempts, claimed.chat_id::text as "chatId",
      coalesce(claimed.email, users.email, '') as email,
      coalesce(claimed.language, profiles.language, private.language_of(users.raw_user_meta_data)) as language,
      profiles.full_name as "fullName", chats.title as "chatTitle"
    from claimed
    left join auth.users on users.id = claimed.user_id
    left join public.profiles on profiles.id = claimed.user_id
    left join public.chats on chats.user_id = claimed.user_id and chats.chat_id = claimed.chat_id`;
  return mail;
}

/** Sent, or not to be sent: nothing of it stays. */
export async function removeAccountMail(sql: Sql, id: string): Promise<void> {
  await sql`delete from private.account_mails where id = ${id}`;
}

export async function postponeAccountMail(sql: Sql, id: string, until: Date): Promise<void> {
  await sql`update private.account_mails set not_before = ${until} where id = ${id}`;
}

/** Mails that could not be sent for a day; answers how many there were. */
export async function dropOldAccountMails(sql: Sql, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - GIVEN_UP_AFTER_MS);
  const { count } = await sql`delete from private.account_mails where created_at < ${oldest}`;
  return count;
}
