import type { ListingAlertKind } from "#core/alert/alert-kinds.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { hasExcludedWarning, warningKinds } from "./excluded-warnings.ts";
import { mergeSearchIds } from "./merge-search-ids.ts";

/** An event about a listing, for the people of a feed. */
export interface FoundEvent {
  readonly kind: ListingAlertKind;
  readonly listingId: string;
  readonly eventKey: string;
  readonly payload: unknown;
  /** The details of the person's row, for events that create one. */
  readonly details: unknown;
  readonly filterIds: readonly string[];
}

export interface SeenBy {
  readonly key: string;
  readonly source: "official" | "by-url";
}

/**
 * Records listings that searches found: a row per person, and an alert per connected chat, for all searches that found it and
 * name the chat. If another search of the person found it before, the new one notifies only chats that got no alert, and the
 * existing messages are edited to name it. No adverts of hidden homes are announced, and none with an excluded warning;
 * the row of the latter is written all the same.
 */
export async function addFoundAlerts(
  db: Db,
  feed: SeenBy,
  events: readonly FoundEvent[],
  now: Date,
): Promise<number> {
  if (events.every(({ filterIds }) => filterIds.length === 0)) return 0;
  const [row] = await db<[{ count: number }]>`
    with facts as materialized (${eventRows(db, events)}), hidden as materialized (${hiddenHomes(db)}),
    matched as materialized (
      select facts.n, facts.listing_id, searches.user_id, searches.filter_id, searches.receiver_ids,
        coalesce(held.search_ids, '{}') as known
      from ${matchingSearches(db, events, feed.key)} join facts on facts.n = aimed.n
      left join public.listings as held on held.user_id = searches.user_id and held.listing_id = facts.listing_id
      where searches.baseline_at is not null and searches.covered_until is null
        and (searches.user_id, facts.listing_id) not in (select user_id, listing_id from hidden)
    ), found as (
      insert into public.listings as held (listing_id, user_id, created_at, details, search_ids)
      select facts.listing_id, finding.user_id, ${now}, facts.details,
        watch.joined_ids(finding.known, finding.ids)
      from (
        select n, user_id, known, array_agg(filter_id order by filter_id) as ids from matched
        where not (filter_id = any (known)) group by n, user_id, known
      ) as finding
      join facts on facts.n = finding.n
      order by finding.user_id, facts.listing_id
      on conflict (user_id, listing_id) do update set
        search_ids = watch.joined_ids(held.search_ids, excluded.search_ids)
      where not (held.search_ids @> excluded.search_ids)
      returning listing_id, user_id
    ), added as (
      insert into watch.alerts as held (${alertColumns(db)})
      select matched.user_id, chats.chat_id, ${alertFacts(db, feed.source, now)}, matched.ids
      from (
        select matched.n, matched.user_id, chat_id, array_agg(filter_id order by filter_id) as ids
        from matched cross join unnest(matched.receiver_ids) as named (chat_id)
        where (matched.user_id, matched.listing_id) in (select user_id, listing_id from found)
        group by matched.n, matched.user_id, chat_id having bool_or(not (filter_id = any (known)))
      ) as matched
      join facts on facts.n = matched.n
      join public.chats on chats.user_id = matched.user_id and chats.chat_id = matched.chat_id::bigint
        and chats.state = 'connected'
      where not ${hasExcludedWarning(db, { userId: db`matched.user_id`, kinds: db`facts.sign_kinds` })}
      order by matched.user_id, facts.n desc, chats.chat_id
      on conflict (user_id, chat_id, listing_id) where kind in ('new', 'readvertised') do update set ${mergeSearchIds(db, now)}
      returning listing_id, event_key, xmax = 0 as is_added
    ), sighted as (${recordSightings(db, feed.source, now)})
    select count(*)::int as count from added where is_added`;
  return row.count;
}

/**
 * Announces changes of known listings: to the searches that found the listing and still match it, and to people who kept it (in
 * the chat where they asked for that, otherwise in the chats of the searches that found it). A kept listing is announced despite
 * excluded warnings. Its removal is announced only to people who kept it, and only if no feed has it any more.
 * The rows are written before those of found listings, and in the same order as by mails, which avoids deadlock.
 */
export async function addChangeAlerts(
  db: Db,
  feed: SeenBy,
  events: readonly FoundEvent[],
  now: Date,
): Promise<number> {
  if (events.length === 0) return 0;
  await lockGoneMarks(db, events);
  const [row] = await db<[{ count: number }]>`
    with facts as materialized (${eventRows(db, events)}), hidden as materialized (${hiddenHomes(db)}), people as (
      select facts.n, searches.user_id, searches.filter_id, named.chat_id::bigint as chat_id
      from ${matchingSearches(db, events, feed.key)} join facts on facts.n = aimed.n
      join public.listings on listings.user_id = searches.user_id and listings.listing_id = facts.listing_id
      cross join unnest(searches.receiver_ids) as named (chat_id)
      where searches.filter_id = any (listings.search_ids)
      union
      (${keepers(db)})
    ), added as (
      insert into watch.alerts as held (${alertColumns(db)})
      select people.user_id, people.chat_id, ${alertFacts(db, feed.source, now)}, people.ids
      from (
        select people.n, people.user_id, people.chat_id,
          coalesce(array_agg(filter_id order by filter_id) filter (where filter_id is not null), '{}') as ids
        from people
        join public.chats on chats.user_id = people.user_id and chats.chat_id = people.chat_id and chats.state = 'connected'
        group by people.n, people.user_id, people.chat_id
      ) as people
      join facts on facts.n = people.n
      where (people.user_id, facts.listing_id) not in (select user_id, listing_id from hidden)
        and not (facts.kind = 'price-drop' and exists (${reportedByMail(db)}))
        and not (facts.kind in ('gone', 'back') and exists (${wasAnnouncedByAnotherFeed(db)}))
        and not (facts.kind = 'gone' and exists (${listedElsewhere(db, feed.key, now)}))
        and not (
          facts.kind <> 'gone' and ${hasExcludedWarning(db, { userId: db`people.user_id`, kinds: db`facts.sign_kinds` })}
          and not exists (
            select from public.marks
            where marks.user_id = people.user_id and marks.listing_id = facts.listing_id and marks.mark = 'kept'
          )
        )
      order by people.user_id, facts.listing_id, facts.n desc, people.chat_id
      on conflict on constraint alert_exists_once do update set ${mergeSearchIds(db, now)}
      returning listing_id, event_key, xmax = 0 as is_added
    ), sighted as (${recordSightings(db, feed.source, now)})
    select count(*)::int as count from added where is_added`;
  return row.count;
}

/** If two feeds lose the same listing at the same time, its removal is announced once. */
async function lockGoneMarks(db: Db, events: readonly FoundEvent[]): Promise<void> {
  const gone = events.filter(({ kind }) => kind === "gone").map(({ listingId }) => listingId);
  if (gone.length === 0) return;
  await db`
    select from public.marks
    where listing_id in (select jsonb_array_elements_text(${jsonOf(db, gone)})) and mark = 'kept'
    order by user_id, listing_id for no key update`;
}

/** Any feed notifies people who kept a listing: the mark is about the listing, not about a search. */
function keepers(db: Db) {
  return db`
    select facts.n, marks.user_id, saved.id, coalesce(marks.chat_id, saved.chat_id)
    from facts
    join public.marks on marks.listing_id = facts.listing_id and marks.mark = 'kept'
    join auth.users as owner on owner.id = marks.user_id and (owner.banned_until is null or owner.banned_until <= now())
    left join public.listings on listings.user_id = marks.user_id and listings.listing_id = marks.listing_id
    left join lateral (
      select mine.id, named.chat_id::bigint as chat_id
      from public.searches as mine cross join unnest(mine.receiver_ids) as named (chat_id)
      where mine.user_id = marks.user_id and not mine.is_paused and marks.chat_id is null and (
        mine.id = any (listings.search_ids) or not exists (
          select from public.searches as finder
          where finder.user_id = marks.user_id and finder.id = any (listings.search_ids)
        )
      )
    ) as saved on true
    where coalesce(marks.chat_id, saved.chat_id) is not null`;
}

/** The removal was announced and not the return, or the return was announced since this feed lost the listing. */
function wasAnnouncedByAnotherFeed(db: Db) {
  return db`
    select from watch.alerts as former
    where former.user_id = people.user_id and former.chat_id = people.chat_id and former.listing_id = facts.listing_id
      and former.kind = facts.kind and former.event_key <> facts.event_key
      and case facts.kind
        when 'back' then former.created_at > facts.event_key::timestamptz
        else not exists (
          select from watch.alerts as later
          where later.user_id = former.user_id and later.chat_id = former.chat_id
            and later.listing_id = former.listing_id and later.kind = 'back' and later.created_at > former.created_at
        )
      end`;
}

/** Another feed in use still has it, and it was seen in the last day. */
function listedElsewhere(db: Db, feedKey: string, now: Date) {
  return db`
    select from watch.feed_listings as other
    join watch.feeds on feeds.key = other.feed_key and feeds.idle_since is null
    join watch.portal_listings as met on met.listing_id = other.listing_id
    where other.listing_id = facts.listing_id and other.feed_key <> ${feedKey} and other.gone_at is null
      and other.missed = 0 and met.last_seen_at > ${now}::timestamptz - interval '1 day'`;
}

function alertColumns(db: Db) {
  return db`
    user_id, chat_id, kind, listing_id, event_key, payload, source, seen_at, not_before, created_at, search_ids`;
}

function alertFacts(db: Db, source: SeenBy["source"], now: Date) {
  return db`
    facts.kind, facts.listing_id, facts.event_key, facts.payload, ${source}::text, ${now}::timestamptz, ${now}::timestamptz,
    ${now}::timestamptz`;
}

/** A mail already reported the cut to this price, and whether to announce it was decided then. */
function reportedByMail(db: Db) {
  return db`
    select from watch.mail_listings as mailed
    where mailed.user_id = people.user_id and mailed.listing_id = facts.listing_id
      and mailed.price_eur::text = facts.event_key`;
}

/** For announced events, and for those that another source saw first: only these can be compared. */
function recordSightings(db: Db, source: SeenBy["source"], now: Date) {
  return db`
    insert into watch.sightings (listing_id, event_key, source, seen_at)
    select distinct facts.listing_id, facts.event_key, ${source}::text, ${now}::timestamptz
    from facts
    where facts.kind in (select alert_kinds.kind from watch.alert_kinds where is_sighted) and (
      (facts.listing_id, facts.event_key) in (select listing_id, event_key from added where is_added)
      or exists (
        select from watch.sightings as seen where seen.listing_id = facts.listing_id and seen.event_key = facts.event_key
      )
    )
    order by 1, 2
    on conflict do nothing`;
}

/** Each event once, so that the payload of a listing for a thousand people is transferred once. */
function eventRows(db: Db, events: readonly FoundEvent[]) {
  const facts = events.map((event, n) => ({
    n,
    kind: event.kind,
    listing_id: event.listingId,
    event_key: event.eventKey,
    payload: event.payload,
    details: event.details,
  }));
  return db`
    select *, ${warningKinds(db, db`payload`)} as sign_kinds from jsonb_to_recordset(${jsonOf(db, facts)}) as facts (
      n int, kind text, listing_id text, event_key text, payload jsonb, details jsonb
    )`;
}

/**
 * The searches that match the events. `offset 0` makes PostgreSQL, which cannot estimate their number, look up each by its key.
 * They are kept separate from the facts, which are joined to each alert and must stay small.
 */
function matchingSearches(db: Db, events: readonly FoundEvent[], feedKey: string) {
  const aimed = events.map(({ filterIds }, n) => ({ n, filter_ids: filterIds }));
  return db`
    jsonb_to_recordset(${jsonOf(db, aimed)}) as aimed (n int, filter_ids jsonb)
      cross join jsonb_array_elements_text(aimed.filter_ids) as met (filter_id) cross join lateral (
        select * from watch.live_searches as live
        where live.filter_id = met.filter_id::uuid and live.feed_key = ${feedKey} offset 0
      ) as searches`;
}

/** People who hid a home of the facts, by this or another advert. */
function hiddenHomes(db: Db) {
  return db`
    select marks.user_id, home.listing_id
    from facts
    join watch.portal_listings as home on home.listing_id = facts.listing_id
    join watch.portal_listings as hidden on hidden.home_id = home.home_id
    join public.marks on marks.listing_id = hidden.listing_id and marks.mark = 'hidden'`;
}
