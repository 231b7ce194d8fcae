import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { mergeSearchIds } from "#store/outbox/merge-search-ids.ts";
import { TOLD_AGAIN } from "../ingest/decide-change.ts";
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
 * Records listings that searches found: a row per person, and an alert per chat, for all searches that found it and
 * name the chat. Who was told of a home already is in `watch.told`, however old the row that pages show. If another search of the person found it before, the new one notifies only chats that got no alert, and the
 * existing messages are edited to name it. No adverts of hidden homes are announced. A home that the rules of all its searches
 * left out has a row without searches, and so has a home from a mail whose reader has no search.
 */
export async function addFoundAlerts(
  db: Db,
  audience: FoundAudience,
  events: readonly FoundEvent[],
  now: Date,
): Promise<WrittenEvents> {
  const [row] = await db<[WrittenEvents]>`
    with facts as materialized (${eventRows(db, events)}), hidden as materialized (${hiddenHomes(db)}),
    matched as materialized (
      select facts.n, facts.listing_id, searches.user_id, searches.filter_id, searches.receiver_ids, searches.is_folded,
        coalesce(told.search_ids, '{}') as known, aimed.is_wanted,
        aimed.alert_ids is null or aimed.alert_ids ? searches.filter_id::text as may_alert,
        aimed.ruled -> searches.filter_id::text as ruled,
        coalesce(aimed.ruled -> searches.filter_id::text ->> 'act', 'alert') as act
      from ${matchingSearches(db, events, audience)} join facts on facts.n = aimed.n
      left join watch.told on told.user_id = searches.user_id and told.listing_id = facts.listing_id
      where searches.is_started and not (aimed.is_return and told.user_id is not null) and (searches.user_id, facts.listing_id) not in (select user_id, listing_id from hidden)
        and (not (aimed.again_ids ? searches.filter_id::text) or exists (
          select from public.left_outs as before
          where before.user_id = searches.user_id and before.listing_id = facts.listing_id
            and before.search_id = searches.filter_id and before.returned_at is null
        ))
    ), left_out as (
      insert into public.left_outs (user_id, listing_id, search_id, rule, payload, left_out_at)
      select matched.user_id, matched.listing_id, matched.filter_id, matched.ruled -> 'rule', facts.payload, ${now}
      from matched join facts on facts.n = matched.n
      where matched.act = 'leave-out' and not (matched.filter_id = any (matched.known))
      order by matched.user_id, matched.listing_id, matched.filter_id
      on conflict (user_id, listing_id, search_id) do update set rule = excluded.rule, payload = excluded.payload
      where left_outs.returned_at is null
    ), returned as (
      update public.left_outs set returned_at = ${now} from matched
      where matched.act <> 'leave-out' and left_outs.user_id = matched.user_id
        and left_outs.listing_id = matched.listing_id and left_outs.search_id = matched.filter_id
        and left_outs.returned_at is null
    ), found as (
      insert into public.listings (listing_id, home_id, user_id, created_at, details, search_ids)
      select facts.listing_id, facts.home_id, finding.user_id, ${now}, facts.details,
        watch.joined_ids(finding.known, finding.ids)
      from (
        select n, user_id, known,
          coalesce(array_agg(filter_id order by filter_id) filter (where act <> 'leave-out'), '{}') as ids
        from matched where not (filter_id = any (known)) group by n, user_id, known
        ${rowsWithoutSearch(db, audience, db`, '{}'::uuid[]`)}
      ) as finding
      join facts on facts.n = finding.n
      order by finding.user_id, facts.listing_id
      on conflict (user_id, listing_id) do update set
        search_ids = watch.joined_ids(listings.search_ids, excluded.search_ids)
      where not (listings.search_ids @> excluded.search_ids)
      returning listing_id, user_id, xmax = 0 as is_new
    ), alerted as materialized (
      select matched.n, matched.user_id, chats.chat_id, array_agg(filter_id order by filter_id) as ids,
        bool_and(act = 'silent') as is_silent, bool_and(is_folded and not is_wanted) as is_folded
      from matched cross join unnest(matched.receiver_ids) as named (chat_id)
      join public.chats on chats.user_id = matched.user_id and chats.chat_id = named.chat_id::bigint
        and watch.takes_alerts(chats.state, chats.reason)
      where act <> 'leave-out' and may_alert
      group by matched.n, matched.user_id, chats.chat_id having bool_or(not (filter_id = any (known)))
    ), noted as (
      insert into watch.told (user_id, listing_id, search_ids, price_eur, told_at)
      select finding.user_id, facts.listing_id, finding.ids, facts.price_eur, ${now}
      from (
        select n, user_id, array_agg(filter_id order by filter_id) as ids from matched
        where act <> 'leave-out' and not (filter_id = any (known)) group by n, user_id
        ${rowsWithoutSearch(db, audience)}
      ) as finding join facts on facts.n = finding.n
      where ${isPerson(audience) && audience.isBacklog} or (finding.n, finding.user_id) in (select n, user_id from alerted)
      order by finding.user_id, facts.listing_id
      on conflict (user_id, listing_id) do update set
        search_ids = watch.joined_ids(told.search_ids, excluded.search_ids), price_eur = excluded.price_eur,
        told_at = excluded.told_at
    ), added as (
      insert into watch.alerts (${writtenColumns(db)})
      select alerted.user_id, alerted.chat_id, ${alertFacts(db, audience, now)}, alerted.ids, alerted.is_silent,
        ${heldUntil(db, audience, { isFolded: db`alerted.is_folded`, userId: db`alerted.user_id`, now })}
      from alerted cross join lateral (${factsInChat(db)}) as facts
      order by alerted.user_id, facts.n desc, alerted.chat_id
      on conflict on constraint alert_exists_once do update set ${mergeSearchIds(db, now)}
      returning listing_id, event_key, xmax = 0 as is_added
    )
    select ${addedAlerts(db)}, (select count(*) from found where is_new)::int as "newCount"`;
  return row;
}

/**
 * A home whose cut or return another search has told the chat, at this price, is not new there: the search is added to that alert.
 */
function factsInChat(db: Db) {
  return db`
    select facts.n, coalesce(known.kind, facts.kind) as kind, facts.listing_id, facts.home_id,
      coalesce(known.event_key, facts.event_key) as event_key, facts.payload
    from facts left join lateral (
      select former.kind, former.event_key from watch.alerts as former
      where former.user_id = alerted.user_id and former.chat_id = alerted.chat_id and former.listing_id = facts.listing_id
        and former.kind in (select jsonb_array_elements_text(${jsonOf(db, TOLD_AGAIN)}))
        and (former.payload -> 'listing' ->> 'priceEur')::float8 = facts.price_eur
        and former.state in ('pending', 'sending', 'sent', 'merged')
      order by former.created_at desc limit 1
    ) as known on true
    where facts.n = alerted.n`;
}

function rowsWithoutSearch(db: Db, audience: FoundAudience, known = db``) {
  if (!isPerson(audience)) return db``;
  return db`
    union all select facts.n, ${audience.userId}::uuid ${known}, '{}'::uuid[] from facts
    where facts.n not in (select n from matched)
      and facts.listing_id not in (select listing_id from hidden where user_id = ${audience.userId})`;
}
