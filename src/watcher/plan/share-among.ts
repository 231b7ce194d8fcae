import type { Sql } from "postgres";
import { type FeedRow, PROMISE_KEPT_MS } from "../rows/feeds/feeds.ts";
import {
  type PlannedInterval,
  readOtherIntervals,
  readPlannedIntervals,
} from "../rows/feeds/source-intervals.ts";
import { latestCheckAt, setFeedIntervals } from "./feed-intervals.ts";
import { type Sharing, type SharingFeed, shareIntervals, suffices } from "./share-intervals.ts";

/** Of a feed that was not checked yet. Its first check says more, and only then its interval is promised. */
export const USUAL_ADVERTS_PER_HOUR = 0.3;

/** Sets the intervals of a source's feeds. Returns what was divided. */
export async function shareAmong(
  sql: Sql,
  sharing: Sharing,
  { source, feeds, now }: { source: FeedRow["source"]; feeds: readonly FeedRow[]; now: number },
): Promise<Sharing> {
  const { askedSeconds } = sharing;
  const all = { ...sharing, feeds: feeds.map(sharingFeedOf) };
  if (suffices(all)) {
    // Reads the few that differ, because there may be thousands.
    const latest = new Date(latestCheckAt(now, askedSeconds));
    const others = await readOtherIntervals(sql, source, { intervalSeconds: askedSeconds, latest });
    const plan = { intervalSeconds: askedSeconds, promisedSeconds: askedSeconds };
    await setFeedIntervals(sql, others, { intervalOf: () => plan, now });
    return all;
  }
  const rows = await readPlannedIntervals(sql, source, { idleSince: new Date(now - PROMISE_KEPT_MS) });
  const shared = { ...sharing, feeds: rows.map(sharingFeedOf) };
  const plan = shareIntervals(shared);
  await setFeedIntervals(sql, rows, { intervalOf: (key) => plan.get(key), now });
  const promised = shared.feeds.map((feed) => {
    return { ...feed, promisedSeconds: plan.get(feed.key)?.promisedSeconds ?? feed.promisedSeconds };
  });
  return { ...shared, feeds: promised };
}

function sharingFeedOf(feed: FeedRow | PlannedInterval): SharingFeed {
  const { key, promisedSeconds } = feed;
  const ownerId = "ownerId" in feed ? feed.ownerId : null;
  return { key, promisedSeconds, ownerId, advertsPerHour: feed.advertsPerHour ?? USUAL_ADVERTS_PER_HOUR };
}
