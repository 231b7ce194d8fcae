import type { Sql } from "postgres";
import type { ChatKind } from "#core/chat.ts";
import { inTransaction } from "./in-transaction.ts";
import { connectChat, findLimit, MOST_PEOPLE_OF_A_CHAT } from "./link-tokens.ts";

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

/** The chat has the questions before it now: they can be answered, and those on their way are not sent. */
export async function noteQuestions(sql: Sql, chatId: string, people: readonly ChatPerson[]): Promise<void> {
  await sql`
    insert into watch.chat_questions (user_id, chat_id)
    select id::uuid, ${chatId} from jsonb_array_elements_text(${sql.json(people.map(({ userId }) => userId))}) as id
    on conflict (user_id, chat_id) do nothing`;
  await sql`
    update watch.alerts set state = 'merged' where chat_id = ${chatId} and kind = 'question' and state = 'pending'`;
}

export interface QuestionAnswer {
  readonly chatId: string;
  readonly userId: string;
  readonly isYes: boolean;
  readonly kind: ChatKind;
  readonly title: string;
}

export type AnsweredQuestion =
  | { readonly is: "connected" | "declined"; readonly email: string }
  | { readonly is: "not-asked" | "chat-full" | "person-full" };

/** What a chat said to "may this person's alerts come here?". Nobody can answer what was not asked. */
export function answerQuestion(sql: Sql, answer: QuestionAnswer): Promise<AnsweredQuestion> {
  const { chatId, userId, isYes } = answer;
  return inTransaction(sql, async (tx): Promise<AnsweredQuestion> => {
    await tx`select from watch.chats where chat_id = ${chatId} for update`;
    // In the order in which saving a filter locks, or the two could wait for each other.
    await tx`select from public.filter_settings where user_id = ${userId} for update`;
    const [asked] = await tx<{ state: string; email: string | null }[]>`
      select chats.state, private.masked_email(user_id) as email
      from public.chats join watch.chat_questions using (user_id, chat_id)
      where user_id = ${userId} and chat_id = ${chatId} for update`;
    if (asked === undefined) return { is: "not-asked" };
    const email = asked.email ?? "";
    if (isYes) {
      const full = await findLimit(tx, userId, chatId);
      if (full !== undefined) return { is: full };
      await connectChat(tx, answer);
      return { is: "connected", email };
    }
    if (asked.state === "declined") return { is: "declined", email };
    // A button of long ago does not undo what was agreed since; /stop does.
    if (asked.state !== "waiting") return { is: "not-asked" };
    await tx`
      update watch.chat_questions set answer = 'no' where user_id = ${userId} and chat_id = ${chatId}`;
    await tx`
      update public.chats set state = 'declined', reason = 'said-no' where user_id = ${userId} and chat_id = ${chatId}`;
    await tx`
      update watch.alerts set state = 'merged'
      where user_id = ${userId} and chat_id = ${chatId} and kind = 'question' and state = 'pending'`;
    return { is: "declined", email };
  });
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
    ), changed as (
      update public.filter_settings set is_paused = ${isPaused}
      where user_id in (select user_id from connected) and is_paused <> ${isPaused}
    )
    select user_id, private.masked_email(user_id) as email
    from public.filter_settings where user_id in (select user_id from connected) order by email, user_id`;
  return rows.map(personOf);
}

function personOf(row: { user_id: string; email: string | null }): ChatPerson {
  return { userId: row.user_id, email: row.email ?? "" };
}
