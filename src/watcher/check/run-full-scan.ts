/**
 * Full scans: once a day the first pages of each feed are read, to find price cuts and removals further down than checks
 * read. They are not urgent: one scan at a time per source across all processes, a few pages and then a pause, and each page is
 * stored as soon as it is read. The next check of the feed ingests the complete scan.
 *
 *   due ──lease──► pages 1…n stored ──interruption, pause, restart──► continues with page n ──► complete ──next check──► ingested
 */
import { randomUUID } from "node:crypto";
import {
  endScanLease,
  findScanFeed,
  hasDueScan,
  postponeScan,
  type ScanFeed,
  type ScanLease,
  saveScanPage,
  takeScanLease,
} from "../rows/feeds/full-scans.ts";
import type { SourceDefect } from "../rows/feeds/source-defects.ts";
import { type CheckOptions, reportDefects } from "./check-feed.ts";
import { failureOf, readPages, summedDefects, usableOf } from "./read-feed.ts";

const SOURCES = ["official", "by-url"] as const;
const SCAN_EVERY_MS = 24 * 3_600_000;
/** Longer than a page can take: the longest wait for the budget plus the request timeout. */
const LEASE_MS = 120_000;
/** Five pages and half a minute's pause use a sixth of one request per second, with any number of processes. */
const PAGES_AT_ONCE = 5;
const PAUSE_MS = 30_000;
const RETRY_MS = 3_600_000;
/** An older incomplete scan starts again. */
const LONGEST_SCAN_MS = 12 * 3_600_000;

/** Whether `runFullScan` would find a feed. */
export async function isFullScanDue(options: CheckOptions): Promise<boolean> {
  const sources = SOURCES.filter(options.mayFullScan);
  return sources.length > 0 && (await hasDueScan(options.sql, sources, scanTimes(options.now())));
}

/** Continues one scan per source, if its lease is free. Returns the number of pages read. */
export async function runFullScan(options: CheckOptions, signal: AbortSignal): Promise<number> {
  let pages = 0;
  for (const source of SOURCES.filter(options.mayFullScan)) {
    pages += await continueScan(options, { source, holder: randomUUID() }, signal);
  }
  return pages;
}

const scanTimes = (nowMs: number) => ({ now: new Date(nowMs), doneBefore: new Date(nowMs - SCAN_EVERY_MS) });

async function continueScan(options: CheckOptions, lease: ScanLease, signal: AbortSignal): Promise<number> {
  const { sql, now } = options;
  const isMine = await takeScanLease(sql, lease, {
    now: new Date(now()),
    until: new Date(now() + LEASE_MS),
  });
  if (!isMine) return 0;
  let pauseMs = PAUSE_MS;
  try {
    const feed = await findScanFeed(sql, lease.source, {
      ...scanTimes(now()),
      begunAfter: new Date(now() - LONGEST_SCAN_MS),
    });
    if (!feed) return 0;
    const { read, failure } = await readPagesOf(options, { lease, feed, signal });
    if (failure?.retryAfterMs) pauseMs = Math.min(Math.max(PAUSE_MS, failure.retryAfterMs), RETRY_MS);
    else if (failure) await postponeScan(sql, feed.key, new Date(now() + RETRY_MS));
    return read;
  } finally {
    await endScanLease(sql, lease, new Date(now() + pauseMs));
  }
}

interface Scan {
  readonly lease: ScanLease;
  readonly feed: ScanFeed;
  readonly signal: AbortSignal;
}

async function readPagesOf(options: CheckOptions, { lease, feed, signal }: Scan) {
  const { sql, now, sources, pages } = options;
  const defects: SourceDefect[] = [];
  let read = 0;
  try {
    for await (const page of readPages(sources, feed, {
      connects: async () => false,
      firstPage: Math.max(1, feed.pages),
      maxPages: PAGES_AT_ONCE,
      signal,
    })) {
      read += 1;
      const usable = usableOf(page, feed);
      defects.push(...usable.defects);
      const isEnd = page.end !== null && page.end !== "gap";
      const isStored = await saveScanPage(sql, lease, {
        page: {
          feedKey: feed.key,
          page: page.number,
          listings: usable.listings,
          isLast: isEnd || page.number >= pages.deep,
          isEndOfList: page.end === "end-of-list",
        },
        now: new Date(now()),
        until: new Date(now() + LEASE_MS),
      });
      if (!isStored || page.number >= pages.deep) break;
    }
    return { read };
  } catch (error) {
    if (signal.aborted) return { read };
    return { read, failure: failureOf(error) };
  } finally {
    await reportDefects(options, feed, summedDefects(defects));
  }
}
