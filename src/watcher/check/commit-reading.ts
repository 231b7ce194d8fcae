import type { Sql } from "postgres";
import type { Listing } from "#core/listing/listing.ts";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction, isLost } from "#platform/database/in-transaction.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { fillDemo } from "../ingest/fill-demo.ts";
import type { PagesAhead } from "../ingest/ingest-page.ts";
import { ingestReading } from "../ingest/ingest-reading.ts";
import { startSearches } from "../ingest/start-searches.ts";
import { timeCanary } from "../rows/feeds/demo-filters.ts";
import { type FeedLease, type LeasedFeed, lockLeasedFeed } from "../rows/feeds/feeds.ts";
import { readmit } from "../rows/quarantine.ts";
import type { FeedIndexes } from "./feed-indexes.ts";
import type { ReadFeed } from "./read-feed.ts";
import { readmitAdverts, setAdvertsAside, withoutSetAside } from "./set-aside-adverts.ts";

interface CommitOptions {
  readonly sql: Sql;
  readonly indexes: FeedIndexes;
  readonly checkIntervalSeconds: number;
  readonly now: () => number;
  readonly logger: Logger;
}

interface Committed {
  readonly outcome: "checked";
  readonly fresh: number;
  readonly alerts: number;
  readonly hasGap: boolean;
}

export type CommitResult = Committed | { readonly outcome: "fenced" };

interface Commit {
  readonly feed: LeasedFeed;
  readonly lease: FeedLease;
  readonly reading: ReadFeed;
  readonly ahead: PagesAhead | undefined;
  readonly startedAt: number;
  readonly mayReadDeeper: boolean;
  readonly scanPages: number;
}

/** Commits the reading; if that throws because of some adverts, without these. */
export async function commitReading(options: CommitOptions, commit: Commit): Promise<CommitResult> {
  const { sql, now, indexes, checkIntervalSeconds } = options;
  const { feed, lease, reading, ahead, startedAt, mayReadDeeper, scanPages } = commit;
  const ingest = async (db: Db, listings: readonly Listing[], end = reading.end): Promise<CommitResult> => {
    const locked = await lockLeasedFeed(db, lease);
    if (!locked) return { outcome: "fenced" };
    const read = { ...reading, listings, end };
    const told = { startedAt, now: now(), mayReadDeeper, scanPages, indexes, checkIntervalSeconds, ahead };
    const ingested = await ingestReading(db, { ...told, feed: locked, reading: read });
    const { covered, freshListings: fresh, alerts, hasGap } = ingested;
    await startSearches(db, { feed: covered, now: told.now, reading: "present" });
    await fillDemo(db, locked, { fresh, now: new Date(told.now) });
    if (feed.hasSetAside) await readmit(db, "feed", [feed.key]);
    if (feed.isCanary) await timeCanary(db, feed.key, { startedAt, now: now() });
    if (feed.hasSetAsideAdverts) await readmitAdverts(db, listings);
    return { outcome: "checked", fresh: fresh.length, alerts, hasGap };
  };
  const { listings } = reading;
  const allowed = feed.hasSetAsideAdverts ? await withoutSetAside(options, listings) : listings;
  try {
    return await inTransaction(sql, (db) => ingest(db, allowed));
  } catch (error) {
    if (isLost(error)) throw error;
    const others = await setAdvertsAside(options, allowed, (db, some) => ingest(db, some, "caught-up"));
    if (!others) throw error;
    return await inTransaction(sql, (db) => ingest(db, others));
  }
}
