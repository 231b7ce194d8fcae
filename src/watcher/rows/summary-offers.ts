import { MANY_A_DAY } from "#core/rules/many-a-day.ts";
import type { Db } from "#platform/database/json-parameter.ts";

/**
 * Offers a summary to the chats of every search that found more than forty homes in a day, once for each search and quarter of a
 * year. The person decides; nothing is switched here. Returns the number of offers.
 */
export async function offerSummaries(db: Db, now: Date): Promise<number> {
  const rows = await db`
    with broad as (
      select search_id, count(distinct home_id)::int as found from (
        select unnest(search_ids) as search_id, home_id
        from public.listings
        where created_at > ${now}::timestamptz - interval '1 day' and created_at <= ${now}
      ) as finds
      group by search_id having count(distinct home_id) > ${MANY_A_DAY}
    )
    insert into watch.alerts (user_id, chat_id, kind, event_key, payload, search_ids, not_before, created_at)
    select saved.user_id, chats.chat_id, 'summary-offer', saved.id || to_char(${now}::timestamptz, ' YYYY"Q"Q'),
      jsonb_build_object('searchId', saved.id, 'found', broad.found),
      array[saved.id], ${now}, ${now}
    from broad join public.searches as saved on saved.id = broad.search_id and not saved.is_folded and not saved.is_paused
    join public.chats on chats.user_id = saved.user_id and watch.takes_alerts(chats.state, chats.reason)
      and chats.chat_id::text = any (saved.receiver_ids)
    order by saved.user_id, chats.chat_id
    on conflict on constraint alert_exists_once do nothing
    returning id`;
  return rows.length;
}
