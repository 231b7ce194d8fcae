import type { Db } from "#platform/database/json-parameter.ts";
import { ANCHORS, firstAnchorOf, lastAnchorOf, placesOf } from "../check/anchors.ts";
import type { StartingSearch } from "../rows/feeds/coverage.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { readOrder } from "../rows/portal-listings.ts";
import type { FormerAnchors } from "./catch-up.ts";

/** As deep as a reading can be. */
const REMEMBERED = 3_000;

export type FormerAnchorsOf = (search: StartingSearch) => FormerAnchors | undefined;

/** Where the feeds that served these searches before connect to the one on which they start. */
export async function createFormerAnchors(
  db: Db,
  feed: FeedRow,
  starting: readonly StartingSearch[],
): Promise<FormerAnchorsOf> {
  const reachesBack = ({ since }: StartingSearch) =>
    since === null || (feed.coveredFrom !== null && since >= feed.coveredFrom);
  const far = starting.filter((search) => !reachesBack(search));
  const byKey = new Map<string, FormerAnchors | undefined>();
  if (far.length === 0) return () => undefined;
  const met = await readOrder(db, feed.key, REMEMBERED);
  const placeOf = new Map(met.map((code, place) => [code, place]));
  for (const key of new Set(far.map(({ fromKey }) => fromKey ?? ""))) {
    const order = await readOrder(db, key, REMEMBERED);
    const places = placesOf(met, order);
    // A short list was known as a whole.
    const isShort = order.length < ANCHORS && order.length > 0;
    byKey.set(
      key,
      isShort ? undefined : { first: firstAnchorOf(places), last: lastAnchorOf(places), placeOf },
    );
  }
  return (search) => (reachesBack(search) ? undefined : byKey.get(search.fromKey ?? ""));
}
