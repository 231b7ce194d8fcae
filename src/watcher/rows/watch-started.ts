import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface StartedWatch {
  readonly userId: string;
  readonly filterId: string;
  readonly payload: unknown;
  /** The newest listings, which become rows of the person. */
  readonly newest: readonly {
    readonly listingId: string;
    readonly details: unknown;
    readonly priceEur: number;
  }[];
}

/** Searches follow their feed: one alert per chat, and rows for the listings it shows, of which the person is told by it. */
export async function addWatchStartedAlerts(
  db: Db,
  begun: readonly StartedWatch[],
  now: Date,
): Promise<void> {
  if (begun.length === 0) return;
  const rows = begun.flatMap(({ userId, filterId, newest }) =>
    newest.map((home, place) => ({ userId, filterId, ...home, place })),
  );
  await db`
    insert into public.listings (listing_id, user_id, created_at, details, search_ids)
    select "listingId", "userId", ${now}::timestamptz - min(place) * interval '1 millisecond', details,
      array_agg("filterId" order by "filterId")
    from jsonb_to_recordset(${jsonOf(db, rows)}) as newest (
      "userId" uuid, "filterId" uuid, "listingId" text, details jsonb, place int
    )
    group by "userId", "listingId", details
    order by "userId", "listingId"
    on conflict (user_id, listing_id) do update set
      search_ids = watch.joined_ids(listings.search_ids, excluded.search_ids)
    where not (listings.search_ids @> excluded.search_ids)`;
  await db`
    insert into watch.told (user_id, listing_id, search_ids, price_eur, told_at)
    select newest."userId", newest."listingId", array_agg(newest."filterId" order by newest."filterId"),
      min(newest."priceEur"), ${now}
    from jsonb_to_recordset(${jsonOf(db, rows)}) as newest (
      "userId" uuid, "filterId" uuid, "listingId" text, "priceEur" float8
    )
    join public.searches on searches.id = newest."filterId"
    where exists (
      select from public.chats
      where chats.user_id = newest."userId" and watch.takes_alerts(chats.state, chats.reason)
        and chats.chat_id::text = any (searches.receiver_ids)
    )
    group by newest."userId", newest."listingId" order by newest."userId", newest."listingId"
    on conflict (user_id, listing_id) do update set
      search_ids = watch.joined_ids(told.search_ids, excluded.search_ids)`;
  const messages = begun.map(({ userId, filterId, payload }) => ({ userId, filterId, payload }));
  await db`
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, not_before, created_at, search_ids)
    select "userId", chats.chat_id, 'watch-started', ${`${now.toISOString()} `} || "filterId", payload, ${now}, ${now},
      array["filterId"]
    from jsonb_to_recordset(${jsonOf(db, messages)}) as begun ("userId" uuid, "filterId" uuid, payload jsonb)
    join public.searches on searches.id = "filterId"
    join public.chats on chats.user_id = "userId" and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (searches.receiver_ids)
    -- By the database's clock, because the bot may run on another machine.
    where payload ? 'occasion' or not exists (
      select from watch.search_chats
      where search_chats.search_id = "filterId" and search_chats.chat_id = chats.chat_id
        and search_chats.resumed_at > now() - interval '10 minutes'
    )
    order by "userId"
    on conflict on constraint alert_exists_once do nothing`;
}
