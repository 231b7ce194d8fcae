/**
 * Deep readings: once a day the first pages of a feed are read through, for price cuts and departures further down than a
 * check looks. They are nobody's news, so they keep out of the way: one at a time for each source over all processes, a few
 * pages and then a rest, each page kept as soon as it is read. A check of the feed takes the whole in.
 *
 *   due ──turn──► pages 1…n kept ──cut, rest, restart──► goes on with page n ──► whole ──next check──► taken in
 */
import { randomUUID } from "node:crypto";
import {
  endScanLease,
  findScanFeed,
  postponeScan,
  type ScanFeed,
  type ScanLease,
  saveScanPage,
  takeScanLease,
} from "#store/feeds/full-scans.ts";
import type { SourceDefect } from "#store/feeds/source-defects.ts";
import { type CheckOptions, noteDefects } from "./check-feed.ts";
import { failureOf, readPages, summedDefects, usableOf } from "./read-feed.ts";

const DEEP_EVERY_MS = 24 * 3_600_000;
/** Longer than a page can take: the budget's longest wait and a request's time limit. */
const TURN_MS = 120_000;
/** Five pages and half a minute of rest: a sixth of what one request a second allows, whatever the number of processes. */
const PAGES_AT_ONCE = 5;
const REST_MS = 30_000;
const RETRY_MS = 3_600_000;
/** A reading that lay longer begins anew. */
const LONGEST_READING_MS = 12 * 3_600_000;

/** A turn at every source that has one to give. Gives how many pages were read. */
export async function runFullScan(options: CheckOptions, signal: AbortSignal): Promise<number> {
  let pages = 0;
  for (const source of ["official", "by-url"] as const) {
    if (!options.mayReadDeep(source)) continue;
    pages += await takeTurn(options, { source, holder: randomUUID() }, signal);
  }
  return pages;
}

async function takeTurn(options: CheckOptions, turn: ScanLease, signal: AbortSignal): Promise<number> {
  const { sql, now } = options;
  const isMine = await takeScanLease(sql, turn, {
    now: new Date(now()),
    until: new Date(now() + TURN_MS),
  });
  if (!isMine) return 0;
  let restMs = REST_MS;
  try {
    const feed = await findScanFeed(sql, turn.source, {
      now: new Date(now()),
      doneBefore: new Date(now() - DEEP_EVERY_MS),
      begunAfter: new Date(now() - LONGEST_READING_MS),
    });
    if (!feed) return 0;
    const { read, failure } = await readSome(options, { turn, feed, signal });
    if (failure?.retryAfterMs) restMs = Math.min(Math.max(REST_MS, failure.retryAfterMs), RETRY_MS);
    else if (failure) await postponeScan(sql, feed.key, new Date(now() + RETRY_MS));
    return read;
  } finally {
    await endScanLease(sql, turn, new Date(now() + restMs));
  }
}

interface Some {
  readonly turn: ScanLease;
  readonly feed: ScanFeed;
  readonly signal: AbortSignal;
}

async function readSome(options: CheckOptions, { turn, feed, signal }: Some) {
  const { sql, now, sources, pages } = options;
  const losses: SourceDefect[] = [];
  let read = 0;
  try {
    for await (const page of readPages(sources, feed, {
      isSeen: async () => new Set(),
      firstPage: Math.max(1, feed.pages),
      maxPages: PAGES_AT_ONCE,
      signal,
    })) {
      read += 1;
      const usable = usableOf(page, feed);
      losses.push(...usable.losses);
      const isEnd = page.end !== null && page.end !== "gap";
      const isKept = await saveScanPage(sql, turn, {
        page: {
          feedKey: feed.key,
          page: page.number,
          listings: usable.listings,
          isLast: isEnd || page.number >= pages.deep,
          isEndOfList: page.end === "end-of-list",
        },
        now: new Date(now()),
        until: new Date(now() + TURN_MS),
      });
      if (!isKept || page.number >= pages.deep) break;
    }
    return { read };
  } catch (error) {
    if (signal.aborted) return { read };
    return { read, failure: failureOf(error) };
  } finally {
    await noteDefects(options, feed, summedDefects(losses));
  }
}
