import type { Sql, TransactionSql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import { inTransaction } from "../connection/in-transaction.ts";
import {
  connectChat,
  findLimit,
  lockPersonAndChat,
  MOST_PEOPLE_OF_A_CHAT,
  noteAnswer,
} from "./link-tokens.ts";

/** Somebody whose alerts go to a chat, as that chat may know them. */
export interface ChatPerson {
  readonly userId: string;
  /** The masked e-mail. */
  readonly email: string;
}

export async function peopleConnectedTo(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  const rows = await sql<{ user_id: string; email: string | null }[]>`
    select user_id, private.masked_email(user_id) as email from public.chats
    where chat_id = ${chatId} and state = 'connected' order by created_at, user_id`;
  return rows.map(personOf);
}

/** Who waits for the chat's yes, or was stopped: when it speaks up, it may be asked. Nobody while it has no room. */
export async function peopleToAskAbout(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  const rows = await sql<{ user_id: string; email: string | null }[]>`
    select chats.user_id, private.masked_email(chats.user_id) as email
    from public.chats left join watch.chat_questions as asked using (user_id, chat_id)
    where chat_id = ${chatId} and (chats.state = 'waiting' and asked.answer is null or chats.reason = 'stopped')
      and ${MOST_PEOPLE_OF_A_CHAT} > (
        select count(*) from public.chats as held where held.chat_id = ${chatId} and held.state = 'connected'
      )
    order by chats.created_at, chats.user_id limit ${MOST_PEOPLE_OF_A_CHAT}`;
  return rows.map(personOf);
}

/** Whose alerts come without the chat having said that the account is its own. */
export async function peopleToConfirm(sql: Sql, chatId: string): Promise<readonly ChatPerson[]> {
  const rows = await sql<{ user_id: string; email: string | null }[]>`
    select user_id, private.masked_email(user_id) as email from public.chats
    where chat_id = ${chatId} and state = 'connected' and confirmed_at is null order by created_at, user_id`;
  return rows.map(personOf);
}

/** The chat has the questions before it now: they can be answered. */
export async function noteQuestions(sql: Sql, chatId: string, people: readonly ChatPerson[]): Promise<void> {
  await sql`
    insert into watch.chat_questions (user_id, chat_id)
    select person_id::uuid, ${chatId} from ${idsOf(sql, people)} as people (person_id)
    on conflict (user_id, chat_id) do nothing`;
}

/** Who was named to the chat in conversation is not named again by what is on its way. */
export async function noteNamed(sql: Sql, chatId: string, people: readonly ChatPerson[]): Promise<void> {
  await sql`
    update watch.alerts set state = 'merged'
    where chat_id = ${chatId} and kind in ('question', 'connected') and state = 'pending'
      and user_id in (select person_id::uuid from ${idsOf(sql, people)} as people (person_id))`;
}

function idsOf(sql: Sql, people: readonly ChatPerson[]) {
  return sql`jsonb_array_elements_text(${sql.json(people.map(({ userId }) => userId))})`;
}

export interface QuestionAnswer {
  readonly chatId: string;
  readonly userId: string;
  /** Yes and no answer whether alerts may come; me and not-me say of alerts that come whose they are. */
  readonly says: "yes" | "no" | "me" | "not-me";
  readonly kind: ChatKind;
  readonly title: string;
}

export type AnsweredQuestion =
  | { readonly is: "connected" | "declined"; readonly email: string }
  | { readonly is: "not-asked" | "chat-full" | "person-full" };

/**
 * What a chat says of a person whose alerts come, or want to come. Nobody can answer what was not asked; a person whose
 * alerts come by a link alone was named when they began.
 */
export function answerQuestion(sql: Sql, answer: QuestionAnswer): Promise<AnsweredQuestion> {
  const { chatId, userId, says } = answer;
  return inTransaction(sql, async (tx): Promise<AnsweredQuestion> => {
    await lockPersonAndChat(tx, userId, chatId);
    const [asked] = await tx<{ state: string; is_confirmed: boolean; email: string | null }[]>`
      select chats.state, chats.confirmed_at is not null as is_confirmed, private.masked_email(user_id) as email
      from public.chats left join watch.chat_questions as question using (user_id, chat_id)
      where user_id = ${userId} and chat_id = ${chatId} and (question.user_id is not null or chats.state <> 'waiting')
      for update of chats`;
    if (asked === undefined) return { is: "not-asked" };
    const email = asked.email ?? "";
    if (says === "yes" || says === "me") {
      const full = await findLimit(tx, userId, chatId);
      if (full !== undefined) return { is: full };
      await connectChat(tx, { ...answer, isConfirmed: true });
      return { is: "connected", email };
    }
    if (says === "no" && asked.state === "declined") return { is: "declined", email };
    // A No of long ago does not undo what was agreed since; "not me" and /stop do.
    if (says === "no" && asked.state !== "waiting" && asked.is_confirmed) return { is: "not-asked" };
    await declinePerson(tx, { userId, chatId });
    return { is: "declined", email };
  });
}

/** The id stays in the person's list, where the page shows why; the name they may have known goes. */
async function declinePerson(
  tx: TransactionSql,
  { userId, chatId }: { userId: string; chatId: string },
): Promise<void> {
  await noteAnswer(tx, { userId, chatId, answer: "no" });
  await tx`
    update public.chats set state = 'declined', reason = 'said-no', confirmed_at = null, kind = null, title = null
    where user_id = ${userId} and chat_id = ${chatId}`;
  await tx`
    update watch.alerts set state = 'undeliverable', last_error = 'declined'
    where user_id = ${userId} and chat_id = ${chatId} and state = 'pending'`;
}

/**
 * Nobody's alerts come to the chat any more. The ids stay in people's lists, where the page shows why; typing one again
 * does not bring the alerts back, only the chat itself can.
 */
export function stopChat(sql: Sql, chatId: string): Promise<number> {
  return inTransaction(sql, async (tx): Promise<number> => {
    await tx`update watch.chats set asked_id_at = null, muted_until = null where chat_id = ${chatId}`;
    const stopped = await tx`
      update public.chats set state = 'declined', reason = 'stopped'
      where chat_id = ${chatId} and state <> 'declined'`;
    await tx`
      insert into watch.chat_questions (user_id, chat_id, asked_at, answer)
      select user_id, chat_id, 'epoch', 'no' from public.chats where chat_id = ${chatId} and reason = 'stopped'
      on conflict (user_id, chat_id) do update set answer = 'no'`;
    await tx`
      update watch.alerts set state = 'undeliverable', last_error = 'stopped'
      where chat_id = ${chatId} and state = 'pending'`;
    return stopped.count;
  });
}

/** Stops or starts the watch of everyone whose alerts come here; answers whose. */
export async function setPaused(sql: Sql, chatId: string, isPaused: boolean): Promise<readonly ChatPerson[]> {
  const rows = await sql<{ user_id: string; email: string | null }[]>`
    with connected as (
      select user_id from public.chats where chat_id = ${chatId} and state = 'connected'
    ), locked as materialized (
      select user_id from public.filter_settings
      where user_id in (select user_id from connected) order by user_id for update
    ), changed as (
      update public.filter_settings set is_paused = ${isPaused}
      where user_id in (select user_id from locked) and is_paused <> ${isPaused}
    )
    select user_id, private.masked_email(user_id) as email
    from public.filter_settings where user_id in (select user_id from connected) order by email, user_id`;
  return rows.map(personOf);
}

function personOf(row: { user_id: string; email: string | null }): ChatPerson {
  return { userId: row.user_id, email: row.email ?? "" };
}
