import type { Db } from "./connection/json-parameter.ts";

export interface WaitingMail {
  readonly kind: "password-changed" | "chat-connected" | "account-deleted";
  /** Empty where nobody has an address. */
  readonly email: string;
  readonly language: string | null;
  readonly fullName: string | null;
  readonly chatId: string | null;
  /** Null for a chat whose name is not the person's to know. */
  readonly chatTitle: string | null;
  readonly createdAt: Date;
}

/** Takes all mails that wait, for this transaction alone. */
export async function takeAccountMails(db: Db): Promise<WaitingMail[]> {
  return await db<WaitingMail[]>`
    with taken as (
      delete from private.account_mails where id in (
        select id from private.account_mails order by id for update skip locked
      )
      returning *
    )
    select taken.kind, taken.chat_id::text as "chatId", taken.created_at as "createdAt",
      coalesce(taken.email, users.email, '') as email,
      coalesce(taken.language, profiles.language, private.language_of(users.raw_user_meta_data)) as language,
      profiles.full_name as "fullName", chats.title as "chatTitle"
    from taken
    left join auth.users on users.id = taken.user_id
    left join public.profiles on profiles.id = taken.user_id
    left join public.chats on chats.user_id = taken.user_id and chats.chat_id = taken.chat_id
    order by taken.id`;
}
