/**
 * One check of one feed: take the lease, read, commit. The lease is renewed while reading. A check that lost its lease cannot
 * commit, and what it read is discarded.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Listing } from "#core/listing/listing.ts";
import type { Logger } from "#core/ports/logger.ts";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { inTransaction, isLost } from "#platform/database/in-transaction.ts";
import { ingestPage, type PagesAhead, writtenAhead } from "../ingest/ingest-page.ts";
import { DOWN_AFTER_ROUNDS } from "../ingest/ingest-reading.ts";
import { nextCheckAt, spreadOf } from "../plan/feed-intervals.ts";
import { spendSource } from "../plan/source-plans.ts";
import { sendAhead } from "../rows/alerts-ahead.ts";
import { countListed } from "../rows/feed-memory.ts";
import {
  claimFeed,
  type FeedLease,
  type FeedRow,
  failCheck,
  type LeasedFeed,
  lockLeasedFeed,
  releaseFeed,
  renewLease,
} from "../rows/feeds/feeds.ts";
import { recordDefects, type SourceDefect } from "../rows/feeds/source-defects.ts";
import { setAside } from "../rows/quarantine.ts";
import { alertSourceDown } from "../rows/source-alerts.ts";
import { type CommitResult, commitReading } from "./commit-reading.ts";
import { depthOf } from "./connect-feed.ts";
import type { FeedIndexes } from "./feed-indexes.ts";
import {
  type FeedReading,
  type ReadFeed,
  readFeed,
  type UnreadFeed,
  type WatcherSources,
} from "./read-feed.ts";

/** After this time the feed of a dead process can be taken over. A living process renews three times within it. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
/**
 * A check that takes longer has failed. Twenty pages, each behind a request of every other running check, take ten minutes
 * with eight processes.
 */
const LONGEST_CHECK_MS = 20 * 60_000;
const LONGEST_RETRY_MS = 3_600_000;
const SHORTEST_RETRY_MS = 1_000;
const FOLLOW_PROBE_MS = 30_000;
/** A list longer than this is not expected to become empty from one reading to the next. */
const FEW_LISTED = 5;
/** Beyond the connection, while the source lists more than was found. */
const EXTRA_PAGES = 5;
const EMPTY_ACCEPTED_AFTER_MS = 24 * 3_600_000;

const TOO_SLOW: UnreadFeed = { isRead: false, reason: "too-slow", retryAfterMs: null };

export interface CheckOptions {
  readonly sql: Sql;
  readonly sources: WatcherSources;
  readonly indexes: FeedIndexes;
  readonly checkIntervalSeconds: number;
  readonly pages: PageLimits;
  /** Whether the month's requests allow a full scan per day. */
  readonly mayFullScan: (source: FeedRow["source"]) => boolean;
  /** How many pages this check reads on, if it is the feed's weekly scan. */
  readonly scanPages: (feed: FeedRow) => number;
  /** The pages of a first check. */
  readonly baselinePages: (source: FeedRow["source"]) => number;
  readonly now: () => number;
  readonly logger: Logger;
  readonly onCheck?: ((source: FeedRow["source"], result: CheckResult) => void) | undefined;
}

export interface PageLimits {
  /** For a feed's first reading. */
  readonly baseline: number;
  /** For every other reading; if it does not connect within them, there is a gap. */
  readonly newest: number;
  /** The same, if the month's requests are plenty. */
  readonly furthest: number;
  /** For the daily full scan, which finds price cuts and removals further down. */
  readonly deep: number;
}

export type CheckResult =
  | CommitResult
  | { readonly outcome: "failed"; readonly reason: string }
  /** Not due, leased by another process, or the lease was lost during the check. */
  | { readonly outcome: "not-due" | "fenced" | "stopped" };

export async function checkFeed(
  options: CheckOptions,
  key: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { sql, now } = options;
  const lease: FeedLease = { key, leaseId: randomUUID() };
  const feed = await claimFeed(sql, lease, { now: new Date(now()), until: new Date(now() + LEASE_MS) });
  if (!feed) return { outcome: "not-due" };
  const fence = new AbortController();
  const startedAt = now();
  const renewal = setInterval(() => {
    if (now() - startedAt > LONGEST_CHECK_MS) {
      fence.abort(TOO_SLOW);
      return;
    }
    renewLease(sql, lease, new Date(now() + LEASE_MS)).then(
      (isHeld) => isHeld || fence.abort(),
      // An unreachable database says nothing about the lease. The commit checks it.
      () => {},
    );
  }, RENEW_EVERY_MS);
  try {
    const result = await checkLeased(options, {
      feed,
      lease,
      startedAt,
      signal: AbortSignal.any([signal, fence.signal]),
      stopRenewal: () => clearInterval(renewal),
    });
    options.onCheck?.(feed.source, result);
    return result;
  } catch (error) {
    // Our bug or a database error.
    await setFeedAside(options, lease, error).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** The feed is tried again in growing steps; if the database is away, its lease ends. */
async function setFeedAside({ sql, now }: CheckOptions, lease: FeedLease, error: unknown): Promise<void> {
  const nextTryAt = await setAside(sql, { kind: "feed", subject: lease.key, error }, new Date(now()));
  await releaseFeed(sql, lease, nextTryAt);
}

interface Check {
  readonly feed: LeasedFeed;
  readonly lease: FeedLease;
  readonly signal: AbortSignal;
  readonly startedAt: number;
  readonly stopRenewal: () => void;
}

async function checkLeased(options: CheckOptions, check: Check): Promise<CheckResult> {
  const { sql, now } = options;
  const { feed, lease, signal, startedAt } = check;
  let ahead: PagesAhead | undefined;
  const onPage = async (listings: readonly Listing[]): Promise<void> => {
    // A first reading is a baseline and alerts nobody.
    if (feed.lastOkAt === null || signal.aborted) return;
    ahead = await inTransaction(sql, async (db) => {
      const locked = await lockLeasedFeed(db, lease);
      return locked
        ? ingestPage(db, { feed: locked, listings, indexes: options.indexes, now: now(), before: ahead })
        : ahead;
    }).catch((error: unknown) => {
      if (isLost(error)) throw error;
      // The complete reading finds the advert that is the cause.
      return ahead;
    });
  };
  const scanPages = options.scanPages(feed);
  const reading = await read(options, check, { scanPages, onPage }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return signal.reason === TOO_SLOW ? TOO_SLOW : undefined;
  });
  if (!reading || (signal.aborted && reading !== TOO_SLOW)) {
    await releaseFeed(sql, lease, new Date(now()));
    return { outcome: "stopped" };
  }
  const failure = reading.isRead ? await suspicionOf(options, feed, reading) : reading;
  // From here on the row lock excludes others, and a renewal would only wait for it.
  check.stopRenewal();
  if (failure) return await fail(options, check, { ...failure, ahead });
  if (!reading.isRead) throw new Error("Unreachable: a reading either succeeded or failed");
  const mayReadDeeper = options.mayFullScan(feed.source) && reading.requests < options.pages.deep;
  const result = await commitReading(options, {
    feed,
    lease,
    reading,
    ahead,
    startedAt,
    mayReadDeeper,
    scanPages,
  });
  if (result.outcome === "checked") {
    const gap = { kind: "gap", reason: "page-limit", count: 1 } as const;
    await reportDefects(options, feed, result.hasGap ? [...reading.defects, gap] : reading.defects);
  }
  return result;
}

/** Counts and logs defects. Outside the check's transaction, because all checks update the same few rows. */
export async function reportDefects(
  { sql, logger }: Pick<CheckOptions, "sql" | "logger">,
  feed: Pick<FeedRow, "key" | "source">,
  defects: readonly SourceDefect[],
): Promise<void> {
  if (defects.length === 0) return;
  await recordDefects(sql, feed.source, defects);
  logger.warn({ feed: feed.key, defects }, "some data of a source could not be used");
}

async function read(
  { sql, sources, pages, mayFullScan, baselinePages }: CheckOptions,
  { feed, signal }: Check,
  { scanPages, onPage }: { scanPages: number; onPage: (listings: readonly Listing[]) => Promise<void> },
): Promise<FeedReading> {
  const isPlenty = mayFullScan(feed.source);
  const { isReadingOn, ...depth } = await depthOf(sql, feed, {
    baseline: baselinePages(feed.source),
    newest: isPlenty ? Math.max(pages.newest, pages.furthest) : pages.newest,
    extra: isPlenty ? EXTRA_PAGES : 1,
    further: scanPages,
  });
  return await readFeed(sources, feed, {
    ...{ ...depth, signal },
    onPage: async (listings) => {
      if (!isReadingOn()) await onPage(listings);
    },
  });
}

/** For a day, an empty answer where there was a list counts as an error of the source. */
async function suspicionOf(
  { sql, now }: CheckOptions,
  feed: FeedRow,
  reading: ReadFeed,
): Promise<UnreadFeed | undefined> {
  if (reading.end !== "nothing-listed") return undefined;
  const isOld = feed.failingSince !== null && now() - feed.failingSince.getTime() > EMPTY_ACCEPTED_AFTER_MS;
  if (isOld || (await countListed(sql, feed.key)) <= FEW_LISTED) return undefined;
  return { isRead: false, reason: "nothing-listed", retryAfterMs: null };
}

async function fail(
  { sql, now, logger }: CheckOptions,
  { feed, lease }: Check,
  { reason, retryAfterMs, ahead }: UnreadFeed & { readonly ahead: PagesAhead | undefined },
): Promise<CheckResult> {
  const at = now();
  const roundMs = failedRoundMs(feed);
  // Being rate-limited is not a failure, unless it has kept the feed from being checked for several rounds.
  const isCounted = reason !== "rate-limited" || at - dueSince(feed, at) > (DOWN_AFTER_ROUNDS - 1) * roundMs;
  const next = retryAtOf(feed, at, { reason, retryAfterMs });
  const result = await inTransaction(sql, async (db): Promise<CheckResult> => {
    if (!(await lockLeasedFeed(db, lease))) return { outcome: "fenced" };
    if (ahead) await sendAhead(db, { ...writtenAhead(ahead), now: new Date(at) });
    const moments = { now: new Date(at), nextCheckAt: new Date(next), roundMs };
    const failed = await failCheck(db, feed.key, { ...moments, reason, isCounted });
    if (failed && failed.failedRounds >= DOWN_AFTER_ROUNDS && reason !== "quota-spent") {
      const payload = { sinceMs: failed.failingSince.getTime(), reason };
      await alertSourceDown(db, feed.key, { since: failed.failingSince, payload, now: new Date(at) });
    }
    return { outcome: "failed", reason };
  });
  if (reason === "quota-spent" && result.outcome === "failed") {
    // If the source names a distant time, it is used. Otherwise we assume calendar months.
    const isKnown = (retryAfterMs ?? 0) > LONGEST_RETRY_MS;
    const until = new Date(isKnown ? at + (retryAfterMs ?? 0) : nextMonthOf(at));
    await spendSource(sql, { source: feed.source, until, now: new Date(at), isKnown });
  }
  logger.warn({ feed: feed.key, reason, isCounted }, "a check failed");
  return result;
}

/** Failed tries within this time are one failed round. If the interval is hours or days, a round is shorter than it. */
function failedRoundMs({ intervalSeconds, lastOkAt }: FeedRow): number {
  const intervalMs = intervalSeconds * 1000;
  // Somebody waits for a first check.
  const longest = lastOkAt === null ? 0 : intervalMs / 4;
  return Math.min(intervalMs, Math.max(LONGEST_RETRY_MS, longest));
}

function dueSince({ lastOkAt, liveSince, intervalSeconds }: FeedRow, at: number): number {
  return Math.min(at, lastOkAt ? lastOkAt.getTime() + intervalSeconds * 1000 : liveSince.getTime());
}

/**
 * When the source will be asked again. A paused source says when; the feeds follow within half a minute, because the first one
 * is a probe.
 */
function retryAtOf(feed: FeedRow, at: number, failure: Omit<UnreadFeed, "isRead">): number {
  const { reason, retryAfterMs } = failure;
  const planned = Math.min(nextCheckAt(feed.key, at, feed.intervalSeconds), at + failedRoundMs(feed));
  const wishMs = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_MS);
  if (reason === "quota-spent") return Math.max(planned, at + wishMs);
  if (retryAfterMs === null) return reason === "rate-limited" ? at + SHORTEST_RETRY_MS : planned;
  return at + Math.max(SHORTEST_RETRY_MS, wishMs) + spreadOf(feed.key, FOLLOW_PROBE_MS);
}
