import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { mergeSearchIds } from "#store/outbox/merge-search-ids.ts";
import {
  addedAlerts,
  alertFacts,
  eventRows,
  type FoundAudience,
  type FoundEvent,
  heldUntil,
  hiddenHomes,
  isPerson,
  matchingSearches,
  type WrittenEvents,
  writtenColumns,
} from "./found-events.ts";

/**
 * Announces changes of known listings: to the searches that found the listing and still match it, and, if a feed saw them, to
 * people who kept it (in the chat where they asked for that, otherwise in the chats of the searches that found it). A mail is
 * announced to each search that it is about. A change is announced for searches of the person that did not find the listing too, in
 * chats where it was announced before, because it is not new there, or if those that found it were deleted. A kept listing is announced whatever the rules say, and at once. Its removal is announced only to people who kept it, and only if no feed has it any more.
 * The rows are written before those of found listings, which avoids deadlock.
 */
export async function addChangeAlerts(
  db: Db,
  audience: FoundAudience,
  events: readonly FoundEvent[],
  now: Date,
): Promise<WrittenEvents> {
  await lockGoneMarks(db, events);
  const [row] = await db<[WrittenEvents]>`
    with facts as materialized (${eventRows(db, events)}), hidden as materialized (${hiddenHomes(db)}),
    knowing as materialized (
      select facts.n, facts.listing_id, searches.user_id, searches.filter_id, searches.receiver_ids, searches.is_folded,
        aimed.alert_ids is null or aimed.alert_ids ? searches.filter_id::text as may_alert, wanted.is_wanted,
        ${isPerson(audience)} or searches.filter_id = any (told.search_ids) or ${haveFindersLeft(db)} as is_finder,
        aimed.ruled -> searches.filter_id::text as ruled,
        case when wanted.is_wanted then 'alert' else coalesce(aimed.ruled -> searches.filter_id::text ->> 'act', 'alert') end
          as act
      from ${matchingSearches(db, events, audience)} join facts on facts.n = aimed.n
      join watch.told on told.user_id = searches.user_id and told.listing_id = facts.listing_id
      cross join lateral (
        select exists (
          select from public.marks
          where marks.user_id = searches.user_id and marks.home_id = facts.home_id and marks.mark = 'kept'
        ) or exists (
          select from public.left_outs as before
          where before.user_id = searches.user_id and before.listing_id = facts.listing_id and before.returned_at is not null
        ) as is_wanted
      ) as wanted
      where facts.told_price_eur is null or told.price_eur = facts.told_price_eur
    ), people as (
      select knowing.n, knowing.user_id, knowing.filter_id, named.chat_id::bigint as chat_id, knowing.act = 'silent' as is_silent,
        knowing.is_folded and not knowing.is_wanted as is_folded
      from knowing cross join unnest(knowing.receiver_ids) as named (chat_id)
      where knowing.act <> 'leave-out' and knowing.may_alert and (knowing.is_finder or exists (
        select from watch.alerts as former
        where former.user_id = knowing.user_id and former.chat_id = named.chat_id::bigint and former.kind = 'new'
          and former.listing_id = knowing.listing_id and former.event_key = ''
      ))
      ${isPerson(audience) ? db`` : keepers(db)}
    ), left_out as (
      insert into public.left_outs (user_id, listing_id, search_id, rule, payload, left_out_at)
      select knowing.user_id, knowing.listing_id, knowing.filter_id, knowing.ruled -> 'rule', facts.payload, ${now}
      from knowing join facts on facts.n = knowing.n
      where knowing.act = 'leave-out' and knowing.is_finder
      order by knowing.user_id, knowing.listing_id, knowing.filter_id
      on conflict (user_id, listing_id, search_id) do update set rule = excluded.rule, payload = excluded.payload
      where left_outs.returned_at is null
    ), added as (
      insert into watch.alerts (${writtenColumns(db)})
      select distinct on (people.user_id, facts.listing_id, facts.kind, facts.event_key, people.chat_id)
        people.user_id, people.chat_id, ${alertFacts(db, audience, now)}, people.ids, people.is_silent,
        ${heldUntil(db, audience, { isFolded: db`people.is_folded`, userId: db`people.user_id`, now })}
      from (
        select people.n, people.user_id, people.chat_id, bool_and(is_silent) as is_silent, bool_and(is_folded) as is_folded,
          coalesce(array_agg(distinct filter_id order by filter_id) filter (where filter_id is not null), '{}') as ids
        from people
        join public.chats on chats.user_id = people.user_id and chats.chat_id = people.chat_id
          and watch.takes_alerts(chats.state, chats.reason)
        group by people.n, people.user_id, people.chat_id
      ) as people
      join facts on facts.n = people.n
      where (people.user_id, facts.listing_id) not in (select user_id, listing_id from hidden)
        and not (facts.payload ? 'formerPriceEur' and exists (${toldOfThatChange(db)}))
        and not (facts.kind in ('gone', 'back') and exists (${wasAnnouncedByAnotherFeed(db)}))
        and not (facts.kind = 'back' and exists (${toldSinceItLeft(db)}))
        and not (facts.kind = 'gone' and exists (${listedElsewhere(db, audience, now)}))
        and (facts.told_price_eur is null or exists (${toldAtThatPrice(db)}))
      order by people.user_id, facts.listing_id, facts.kind, facts.event_key, people.chat_id, facts.n
      on conflict on constraint alert_exists_once do update set ${mergeSearchIds(db, now)}
      returning user_id, listing_id, event_key, xmax = 0 as is_added
    ), noted as (
      update watch.told set price_eur = shown.price_eur, told_at = ${now}
      from (
        select distinct on (added.user_id, added.listing_id) added.user_id, added.listing_id, facts.price_eur
        from added join facts on facts.listing_id = added.listing_id and facts.event_key = added.event_key
        where facts.kind in (select kind from watch.alert_kinds where is_offer)
      ) as shown
      where told.user_id = shown.user_id and told.listing_id = shown.listing_id
    )
    select ${addedAlerts(db)}, 0 as "newCount"`;
  return row;
}

function haveFindersLeft(db: Db) {
  return db`(
    cardinality(told.search_ids) > 0
    and not exists (select from public.searches as finder where finder.id = any (told.search_ids))
  )`;
}

/** If two feeds lose the same listing at the same time, its removal is announced once. */
async function lockGoneMarks(db: Db, events: readonly FoundEvent[]): Promise<void> {
  const gone = events.filter(({ kind }) => kind === "gone").map(({ listingId }) => listingId);
  if (gone.length === 0) return;
  await db`
    select from public.marks
    where mark = 'kept' and home_id in (
      select home_id from watch.portal_listings where listing_id in (select jsonb_array_elements_text(${jsonOf(db, gone)}))
    )
    order by user_id, home_id for no key update`;
}

/** Any feed notifies people who kept a home: the mark is about the home, not about a search. */
function keepers(db: Db) {
  return db`
    union
    select facts.n, marks.user_id, saved.id, coalesce(marks.chat_id, saved.chat_id), false, false
    from facts
    join public.marks on marks.home_id = facts.home_id and marks.mark = 'kept'
    join auth.users as owner on owner.id = marks.user_id and (owner.banned_until is null or owner.banned_until <= now())
    cross join lateral (
      select array(
        select unnest(listings.search_ids) from public.listings
        where listings.user_id = marks.user_id and listings.home_id = facts.home_id
      ) as search_ids
    ) as found
    left join lateral (
      select searches.id, named.chat_id::bigint as chat_id
      from public.searches cross join unnest(searches.receiver_ids) as named (chat_id)
      where searches.user_id = marks.user_id and not searches.is_paused and marks.chat_id is null and (
        searches.id = any (found.search_ids) or not exists (
          select from public.searches as finder
          where finder.user_id = marks.user_id and finder.id = any (found.search_ids)
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

/** Another feed in use still has it, or any feed another listing of the home, and it was seen in the last day. */
function listedElsewhere(db: Db, audience: FoundAudience, now: Date) {
  const feedKey = isPerson(audience) ? null : audience.key;
  return db`
    select from watch.feed_listings as other
    join watch.feeds on feeds.key = other.feed_key and feeds.idle_since is null
    join watch.portal_listings as portal on portal.listing_id = other.listing_id
    where portal.home_id = facts.home_id and (other.listing_id <> facts.listing_id or other.feed_key is distinct from ${feedKey})
      and other.gone_at is null and other.missed = 0 and portal.last_seen_at > ${now}::timestamptz - interval '1 day'`;
}

/** Nothing is told twice in one state: the person knows a price, from a feed or a mail, that has not changed in this direction. */
function toldOfThatChange(db: Db) {
  return db`
    select from watch.told
    where told.user_id = people.user_id and told.listing_id = facts.listing_id and told.price_eur > 0
      and sign(told.price_eur - facts.price_eur)
        <> sign((facts.payload ->> 'formerPriceEur')::float8 - facts.price_eur)`;
}

function toldAtThatPrice(db: Db) {
  return db`
    select from watch.told
    where told.user_id = people.user_id and told.listing_id = facts.listing_id and told.price_eur = facts.told_price_eur`;
}

/** To somebody who did not know the home, its return was new, or a mail had it. */
function toldSinceItLeft(db: Db) {
  return db`
    select from watch.told
    where told.user_id = people.user_id and told.listing_id = facts.listing_id
      and told.told_at > facts.event_key::timestamptz`;
}
