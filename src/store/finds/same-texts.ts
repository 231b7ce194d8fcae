import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export interface WithText {
  readonly listingId: string;
  readonly textKey: string;
  readonly town: string | null;
}

/** Under how many codes and in how many towns the same text stands, this one counted. */
export interface StoredSameText {
  readonly codes: number;
  readonly towns: number;
}

/** More adverts of one text say nothing more. */
const COUNTED_AT_MOST = 200;

/** By listing id, for those whose text stands under another code too, as far as feeds have met it. */
export async function readSameTexts(
  db: Db,
  listings: readonly WithText[],
): Promise<Map<string, StoredSameText>> {
  if (listings.length === 0) return new Map();
  const rows = await db<({ listingId: string } & StoredSameText)[]>`
    select asked."listingId", 1 + count(met.listing_id)::int as codes,
      count(distinct met.town) filter (where met.town is distinct from asked.town)::int
        + case when asked.town is null then 0 else 1 end as towns
    from jsonb_to_recordset(${jsonOf(db, listings)}) as asked ("listingId" text, "textKey" text, town text)
    cross join lateral (
      select portal.listing_id, portal.listing ->> 'municipality' as town from watch.portal_listings as portal
      where portal.text_key = asked."textKey" and portal.listing_id <> asked."listingId" limit ${COUNTED_AT_MOST}
    ) as met
    group by asked."listingId", asked.town`;
  return new Map(rows.map(({ listingId, ...same }) => [listingId, same]));
}
