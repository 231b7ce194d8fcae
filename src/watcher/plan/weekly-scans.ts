/**
 * Scans of sources whose requests do not suffice for a daily one: once a week a check of a feed reads on below what is new, so that
 * homes which entered the list further down are found. A share of the month's requests pays for them; of many feeds each is scanned
 * more seldom.
 */
import { MAX_PAGE_SIZE } from "#core/ports/source.ts";

const WEEK_MS = 7 * 86_400_000;
/** Pages overlap by a few listings. */
const LEAST_ON_A_PAGE = 46;

export interface ScannedFeed {
  readonly key: string;
  /** How many listings the source says that it has; null before the first check. */
  readonly listedTotal: number | null;
}

export interface WeeklyScan {
  /** Below the first page, which every check reads. */
  readonly pages: number;
  readonly everyMs: number;
}

/** The shortest lists first: they are read to their end. */
export function planWeeklyScans(
  feeds: readonly ScannedFeed[],
  { pagesAWeek, mostPages }: { readonly pagesAWeek: number; readonly mostPages: number },
): Map<string, WeeklyScan> {
  const needs = feeds
    .map(({ key, listedTotal }) => ({ key, need: Math.min(mostPages, pagesBelowFirst(listedTotal ?? 0)) }))
    .filter(({ need }) => need > 0)
    .toSorted((one, other) => one.need - other.need);
  let left = pagesAWeek;
  const scans = new Map<string, WeeklyScan>();
  for (const [n, { key, need }] of needs.entries()) {
    const share = left / (needs.length - n);
    if (share <= 0) break;
    const pages = Math.max(1, Math.min(need, Math.floor(share)));
    scans.set(key, { pages, everyMs: WEEK_MS * Math.max(1, pages / share) });
    left -= Math.min(pages, share);
  }
  return scans;
}

export const pagesPerHourOf = (scans: ReadonlyMap<string, WeeklyScan>): number =>
  [...scans.values()].reduce((sum, { pages, everyMs }) => sum + (pages * 3_600_000) / everyMs, 0);

/** The pages that this check reads on: the next one would come too late. */
export function scanPagesOf(
  scan: WeeklyScan | undefined,
  feed: {
    readonly lastFullScanAt: Date | null;
    readonly lastOkAt: Date | null;
    readonly intervalSeconds: number;
  },
  now: number,
): number {
  if (!scan || !feed.lastOkAt) return 0;
  const nextCheck = now + feed.intervalSeconds * 1_000;
  const isDue = !feed.lastFullScanAt || nextCheck - feed.lastFullScanAt.getTime() > scan.everyMs;
  return isDue ? scan.pages : 0;
}

function pagesBelowFirst(total: number): number {
  return Math.max(0, Math.ceil((total - MAX_PAGE_SIZE) / LEAST_ON_A_PAGE));
}
