// Users with two searches, and the messages in their chats.

import { openDatabase } from "#platform/database/open-database.ts";
import type { Message } from "#simulators/telegram/model.ts";
import { requireChatById } from "#simulators/telegram/phone/create.ts";
import { mergeSearchIds } from "#store/outbox/merge-search-ids.ts";
import { createTestDatabase } from "../test-database.ts";
import { type NewAlert, newListing } from "./delivery-fixture.ts";
import { type DeliveryRun, startDeliveryRun } from "./run-delivery.ts";

export type Find = NewAlert & { readonly code: string };

let lastCode = 0;

/** An alert about a new home found by these searches. */
export function found(
  { user, chat }: { user: string; chat: number },
  searchIds: readonly string[],
  changes: Parameters<typeof newListing>[3] = {},
): Find {
  lastCode += 1;
  const code = String(lastCode);
  return {
    ...newListing(user, chat, code, { address: `calle número ${code}.`, ...changes }),
    searchIds,
    code,
  };
}

const wordsOf = ({ text, caption }: Message) => text ?? caption ?? "";
export const namesOf = (message: Message) => /🔎 (.*)$/.exec(wordsOf(message))?.[1];
export const codesOf = (message: Message) =>
  [...wordsOf(message).matchAll(/número (\d+)\./g)].map(([, code]) => code);
export const mutesOf = ({ reply_markup }: Message) =>
  (reply_markup?.inline_keyboard ?? [])
    .flat()
    .flatMap(({ text }) => (/mute .*(search|“)/i.test(text) ? [text] : []));

/** Starts a sender for such users. */
export async function startTwoSearches() {
  const database = await createTestDatabase();
  const sql = openDatabase({ url: database.url, max: 4 });
  const delivery = await startDeliveryRun({ sql });

  /** Creates a user with two searches, the second named "Sea", in all of these chats. */
  async function personWithTwo(...kinds: Parameters<DeliveryRun["person"]>) {
    const person = await delivery.person(...kinds);
    const [row] = await sql`
      insert into public.searches (user_id, filter_url, receiver_ids, name)
      select user_id, replace(filter_url, '1500', '1600'), receiver_ids, 'Sea' from public.filter_settings
      where user_id = ${person.user}
      returning id, (select id from public.filter_settings where user_id = ${person.user}) as first`;
    return { ...person, first: String(row?.first), second: String(row?.id) };
  }

  /** Adds a search to an alert, as the watcher does when another search matches. */
  async function joins({ userId, chatId, kind, code }: Find, searchId: string) {
    const now = new Date(delivery.clock.now());
    await sql`
      insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, search_ids)
      values (${userId}, ${chatId}, ${kind}, ${code}, '{}', array[${searchId}]::uuid[])
      on conflict on constraint alert_exists_once do update set ${mergeSearchIds(sql, now)}`;
  }

  const messagesIn = (chat: number): Message[] =>
    requireChatById(delivery.telegram, chat).messages.flatMap(({ message }) =>
      message.from?.is_bot && (message.text ?? message.caption) !== undefined ? [message] : [],
    );
  const stateOf = async ({ code }: { code: string }) =>
    (await sql`select state from watch.alerts where listing_id = ${code}`)[0]?.state;
  const close = async () => {
    await delivery.close();
    await sql.end();
    await database.drop();
  };
  return { sql, delivery, personWithTwo, joins, messagesIn, stateOf, close };
}
