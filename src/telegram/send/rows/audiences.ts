/** The searches of a person, and their settings in a chat. */
import type { Sql } from "postgres";
import type { OwnPlace } from "#core/finds/find.ts";
import type { TimeZone } from "#core/geo/time-zone.ts";
import { type PreparedRules, prepareRules } from "#core/rules/decide-home.ts";
import { readRules } from "#core/rules/rule.ts";
import type { Recipient } from "./recipients.ts";

export interface AudienceSearch {
  readonly id: string;
  readonly name: string | null;
  readonly filterUrl: string;
  readonly isPaused: boolean;
  /** It sends a summary every two hours. */
  readonly isFolded: boolean;
  readonly namesChat: boolean;
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
  readonly mutedUntilMs: number | null;
  readonly topicId: string | null;
  readonly rules: PreparedRules;
}

export interface Audience extends Recipient {
  /** Infinity for a paused chat. */
  readonly mutedUntilMs: number | null;
  /** All of the person's, the first one first. */
  readonly searches: readonly AudienceSearch[];
  /** Chosen by the person; null: that of each search's place. */
  readonly timeZone: TimeZone | null;
  /** The person's saved places, three at most. */
  readonly places: readonly OwnPlace[];
  /** Kinds of warnings that are not shown. */
  readonly hiddenWarnings: readonly string[];
}

/** In the order of the recipients. */
export async function readAudiences(sql: Sql, recipients: readonly Recipient[]): Promise<Audience[]> {
  const rows = await sql<
    (Omit<AudienceSearch, "rules"> & {
      n: number;
      id: string | null;
      rules: unknown;
      chatMutedUntilMs: number | null;
      timeZone: TimeZone | null;
    } & Pick<Audience, "places" | "hiddenWarnings">)[]
  >`
    select recipient.n::int, searches.id, searches.name, searches.filter_url as "filterUrl", searches.is_paused as "isPaused",
      searches.is_folded as "isFolded", recipient."chatId" = any (searches.receiver_ids) as "namesChat",
      searches.quiet_from::text as "quietFrom", searches.quiet_until::text as "quietUntil",
      extract(epoch from search_chats.muted_until)::float8 * 1000 as "mutedUntilMs", search_chats.topic_id::text as "topicId",
      extract(epoch from chat.muted_until)::float8 * 1000 as "chatMutedUntilMs",
      person.time_zone as "timeZone", own.places, coalesce(to_jsonb(settings.hidden_warnings), '[]') as "hiddenWarnings", searches.rules
    from rows from (
      jsonb_to_recordset(${sql.json(recipients as never)}) as ("chatId" text, "userId" uuid)
    ) with ordinality as recipient ("chatId", "userId", n)
    left join watch.chats as chat on chat.chat_id = recipient."chatId"::bigint
    left join public.profiles as person on person.id = recipient."userId"
    left join public.find_settings as settings on settings.user_id = recipient."userId"
    cross join lateral (
      select coalesce(
        jsonb_agg(
          jsonb_build_object('id', id, 'name', name, 'latitude', latitude, 'longitude', longitude) order by created_at, id
        ), '[]'
      ) as places
      from public.own_places where own_places.user_id = recipient."userId"
    ) as own
    left join public.searches on searches.user_id = recipient."userId"
    left join watch.search_chats on search_chats.search_id = searches.id and search_chats.chat_id = recipient."chatId"::bigint
    order by recipient.n, searches.is_first desc, searches.created_at, searches.id`;
  const byPlace = Map.groupBy(rows, ({ n }) => n);
  return recipients.map(({ chatId, userId }, place) => {
    const own = byPlace.get(place + 1) ?? [];
    const searches = own
      .filter(({ id }) => id !== null)
      .map(
        ({
          n: _,
          chatMutedUntilMs: _muted,
          places: _places,
          hiddenWarnings: _hidden,
          timeZone: _zone,
          rules,
          ...search
        }) => ({ ...search, rules: prepareRules(readRules(rules).rules) }),
      );
    const { chatMutedUntilMs = null, places = [], hiddenWarnings = [], timeZone = null } = own[0] ?? {};
    return {
      chatId,
      userId,
      mutedUntilMs: chatMutedUntilMs,
      searches,
      timeZone,
      places,
      hiddenWarnings,
    };
  });
}

/** Telegram does not know the topic any more: messages go to the group itself. */
export async function forgetTopic(sql: Sql, chatId: string, topicId: string): Promise<void> {
  await sql`update watch.search_chats set topic_id = null where chat_id = ${chatId} and topic_id = ${topicId}`;
}
