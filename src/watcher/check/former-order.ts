import type { Listing } from "#core/listing/listing.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { type FeedRow, readFeedOf } from "../rows/feeds/feeds.ts";
import { readListed, readOrder } from "../rows/portal-listings.ts";
import { sharedListingsOf } from "./shared-listings.ts";

/** As deep as a reading can be. */
export const REMEMBERED = 3_000;

export interface FormerOrder {
  /** What the other feed remembers as listed, newest first: of both feeds, if that can be said. */
  readonly order: readonly string[];
  readonly isShared: ((listing: Listing) => boolean) | undefined;
  /** Nothing else was listed there. */
  readonly isWhole: boolean;
}

/** The order that a feed finds in its own list, if it takes over searches of the other one. */
export async function readFormerOrder(db: Db, feed: FeedRow, fromKey: string): Promise<FormerOrder> {
  const former = await readFeedOf(db, fromKey);
  const isShared = former && sharedListingsOf(feed, former);
  if (!isShared) return { order: await readOrder(db, fromKey, REMEMBERED), isShared, isWhole: true };
  const listed = (await readListed(db, fromKey, REMEMBERED)).filter(isShared);
  const order = listed.map(({ propertyCode }) => propertyCode);
  return { order, isShared, isWhole: former.isReadToEnd };
}
