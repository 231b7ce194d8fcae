/** The time zone of a person's quiet hours, as a chat that confirmed the account reads and changes it. */
import type { Sql } from "postgres";
import { TIME_ZONES, type TimeZone } from "#core/geo/time-zone.ts";
import { zoneOfUrl } from "#core/search/url/zone-of-url.ts";
import { actForAccounts } from "./act-for-accounts.ts";

/** The zones in which the person has quiet hours: the chosen one, else those of the searches' places. */
export async function quietZonesOf(sql: Sql, userId: string): Promise<readonly TimeZone[]> {
  const rows = await sql<{ chosen: string | null; filterUrl: string }[]>`
    select profiles.time_zone as chosen, searches.filter_url as "filterUrl"
    from public.searches join public.profiles on profiles.id = searches.user_id
    where searches.user_id = ${userId} and searches.quiet_from is not null`;
  const zones = rows.map(({ chosen, filterUrl }) => chosen ?? zoneOfUrl(filterUrl));
  return TIME_ZONES.filter((zone) => zones.includes(zone));
}

/** Returns whether the chat may change it. */
export async function setTimeZone(
  sql: Sql,
  { userId, chatId, zone }: { userId: string; chatId: string; zone: TimeZone },
): Promise<boolean> {
  return actForAccounts(sql, [userId], async (db) => {
    const changed = await db`
      update public.profiles set time_zone = ${zone}
      where id = ${userId} and exists (
        select from watch.confirmed_chats where confirmed_chats.user_id = ${userId} and confirmed_chats.chat_id = ${chatId}
      )
      returning id`;
    return changed.length > 0;
  });
}
