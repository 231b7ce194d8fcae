import type { Db } from "../connection/json-parameter.ts";

export interface SavedLink {
  readonly filterUrl: string;
  readonly people: number;
}

/** Every link that costs requests, and for how many: people who paused, are banned or cannot be told cost none. */
export async function readSavedLinks(db: Db): Promise<SavedLink[]> {
  return await db<SavedLink[]>`
    select filters.filter_url as "filterUrl", count(*)::int as people
    from public.filter_settings as filters
    join auth.users as people on people.id = filters.user_id
    where not filters.is_paused and (people.banned_until is null or people.banned_until <= now())
      and filters.user_id in (select user_id from watch.reachable_people)
    group by 1 order by 1`;
}
