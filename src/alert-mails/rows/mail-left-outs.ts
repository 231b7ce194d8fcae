/** Homes from alert mails that rules left out. */
import type { Rule } from "#core/rules/rule-kinds.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface MailLeftOut {
  readonly listingId: string;
  readonly searchId: string;
  readonly rule: Rule;
  /** The alert that was not written. */
  readonly payload: unknown;
}

/** Written after the rows of the listings. */
export async function addMailLeftOuts(
  db: Db,
  userId: string,
  leftOuts: readonly MailLeftOut[],
  now: Date,
): Promise<void> {
  if (leftOuts.length === 0) return;
  await db`
    insert into public.left_outs as held (user_id, listing_id, search_id, rule, payload, left_out_at)
    select ${userId}, found."listingId", found."searchId", found.rule, found.payload, ${now}
    from jsonb_to_recordset(${jsonOf(db, leftOuts)}) as found ("listingId" text, "searchId" uuid, rule jsonb, payload jsonb)
    join public.listings as mine on mine.user_id = ${userId} and mine.listing_id = found."listingId"
    order by found."listingId", found."searchId"
    on conflict (user_id, listing_id, search_id) do update set rule = excluded.rule, payload = excluded.payload
    where held.returned_at is null`;
}

/** These searches left the home out, and it has passed their rules now. */
export async function endMailLeftOuts(
  db: Db,
  userId: string,
  passed: readonly Pick<MailLeftOut, "listingId" | "searchId">[],
  now: Date,
): Promise<void> {
  if (passed.length === 0) return;
  await db`
    update public.left_outs set returned_at = ${now}
    from jsonb_to_recordset(${jsonOf(db, passed)}) as passed ("listingId" text, "searchId" uuid)
    where user_id = ${userId} and listing_id = passed."listingId" and search_id = passed."searchId" and returned_at is null`;
}
