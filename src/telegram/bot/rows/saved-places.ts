/** People's saved places, for our own processes. The page writes them under row-level security. */
import type { Sql } from "postgres";
import type { OwnPlace } from "#core/finds/find.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { actForAccounts } from "./act-for-accounts.ts";

export async function readOwnPlaces(db: Db, userIds: readonly string[]): Promise<Map<string, OwnPlace[]>> {
  const rows = await db<(OwnPlace & { userId: string })[]>`
    select user_id as "userId", id, name, latitude, longitude from public.own_places
    where user_id in (select jsonb_array_elements_text(${jsonOf(db, userIds)})::uuid)
    order by created_at, id`;
  const places = new Map<string, OwnPlace[]>();
  for (const { userId, ...place } of rows) places.set(userId, [...(places.get(userId) ?? []), place]);
  return places;
}

/**
 * Adds a place with that name, or moves the existing one, for an account that the chat confirmed. "too-many" if the person has
 * three others.
 */
export async function setOwnPlace(
  sql: Sql,
  { userId, chatId }: { userId: string; chatId: string },
  { name, latitude, longitude }: Omit<OwnPlace, "id">,
): Promise<"added" | "moved" | "too-many"> {
  return actForAccounts(sql, [userId], async (db) => {
    const isConfirmed = db`exists (
      select from watch.confirmed_chats where user_id = ${userId} and chat_id = ${chatId}
    )`;
    const moved = await db`
      update public.own_places set latitude = ${latitude}, longitude = ${longitude}
      where user_id = ${userId} and lower(name) = lower(${name}) and ${isConfirmed}`;
    if (moved.count > 0) return "moved";
    const [added] = await db<{ id: string }[]>`
      insert into public.own_places (user_id, name, latitude, longitude)
      select ${userId}, ${name}, ${latitude}, ${longitude}
      where (select count(*) from public.own_places where user_id = ${userId}) < 3 and ${isConfirmed}
      returning id`;
    return added ? "added" : "too-many";
  });
}
