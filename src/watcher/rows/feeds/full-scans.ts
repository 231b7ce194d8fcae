/**
 * The progress of full scans, and their lease. One process at a time scans a source. Each page is stored under the lease, so that
 * the next process continues after it.
 */
import type { Listing } from "#core/listing/listing.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { FeedRow } from "./feeds.ts";

export interface ScanLease {
  readonly source: FeedRow["source"];
  readonly holder: string;
}

/** False if another process has the lease, or had it a moment ago. */
export async function takeScanLease(
  db: Db,
  { source, holder }: ScanLease,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const rows = await db`
    insert into watch.scan_leases (source, holder, until) values (${source}, ${holder}, ${until})
    on conflict (source) do update set holder = excluded.holder, until = excluded.until
    where scan_leases.until <= ${now} returning source`;
  return rows.length > 0;
}

export async function endScanLease(db: Db, { source, holder }: ScanLease, nextAt: Date): Promise<void> {
  await db`update watch.scan_leases set until = ${nextAt} where source = ${source} and holder = ${holder}`;
}

export interface ScanFeed extends Pick<FeedRow, "key" | "source" | "query"> {
  /** The number of stored pages. The scan continues with the last of them, because the list has moved since. */
  readonly pages: number;
}

interface ScanTimes {
  readonly now: Date;
  readonly doneBefore: Date;
}

const isScanDue = (db: Db, { now, doneBefore }: ScanTimes) => db`
  feeds.idle_since is null and feeds.last_ok_at is not null
    and (feeds.last_full_scan_at is null or feeds.last_full_scan_at <= ${doneBefore})
    and (feeds.full_scan_not_before is null or feeds.full_scan_not_before <= ${now})`;

export async function hasDueScan(
  db: Db,
  sources: readonly FeedRow["source"][],
  times: ScanTimes,
): Promise<boolean> {
  const [row] = await db<[{ isDue: boolean }]>`
    select exists (
      select from watch.feeds where source in (select jsonb_array_elements_text(${jsonOf(db, sources)})) and ${isScanDue(db, times)}
    ) as "isDue"`;
  return row.isDue;
}

/** The feed that has waited longest for a full scan; an incomplete scan comes first. */
export async function findScanFeed(
  db: Db,
  source: FeedRow["source"],
  { begunAfter, ...times }: ScanTimes & { begunAfter: Date },
): Promise<ScanFeed | undefined> {
  // Incomplete scans that are too old start again.
  await db`
    delete from watch.scan_pages where feed_key in (
      select feed_key from watch.scan_pages where page = 1 and read_at <= ${begunAfter}
    )`;
  const [row] = await db<ScanFeed[]>`
    select feeds.key, feeds.source, feeds.query, coalesce(under_way.pages, 0) as pages
    from watch.feeds
    left join lateral (
      select max(page) as pages, bool_or(is_last) as is_whole
      from watch.scan_pages where scan_pages.feed_key = feeds.key
    ) as under_way on true
    where feeds.source = ${source} and ${isScanDue(db, times)} and under_way.is_whole is not true
    order by under_way.pages is null, feeds.last_full_scan_at nulls first, feeds.key limit 1`;
  return row;
}

export interface ScanPage {
  readonly feedKey: string;
  readonly page: number;
  readonly listings: readonly Listing[];
  readonly isLast: boolean;
  readonly isEndOfList: boolean;
}

/** Stores a page and renews the lease. False if the lease was lost: the caller must stop. */
export async function saveScanPage(
  db: Db,
  { source, holder }: ScanLease,
  { page, now, until }: { page: ScanPage; now: Date; until: Date },
): Promise<boolean> {
  const rows = await db`
    with lease as (
      update watch.scan_leases set until = ${until} where source = ${source} and holder = ${holder} returning source
    )
    insert into watch.scan_pages (feed_key, page, listings, read_at, is_last, is_end_of_list)
    select feeds.key, ${page.page}, ${jsonOf(db, page.listings)}, ${now}, ${page.isLast}, ${page.isEndOfList}
    from lease join watch.feeds on feeds.key = ${page.feedKey}
    on conflict (feed_key, page) do update set
      listings = scan_pages.listings || excluded.listings, is_last = excluded.is_last, is_end_of_list = excluded.is_end_of_list
    returning page`;
  return rows.length > 0;
}

export async function postponeScan(db: Db, feedKey: string, until: Date): Promise<void> {
  await db`update watch.feeds set full_scan_not_before = ${until} where key = ${feedKey}`;
}

/** A reading had a gap that a scan may fill. */
export async function scanSoon(db: Db, feedKey: string): Promise<void> {
  await db`update watch.feeds set last_full_scan_at = null where key = ${feedKey}`;
}

export interface FullScan {
  /** Newest first, as read. */
  readonly listings: readonly Listing[];
  readonly baselineAt: Date;
  readonly isEndOfList: boolean;
}

/** A complete scan; undefined if there is none, or only an incomplete one. */
export async function readFullScan(db: Db, feedKey: string): Promise<FullScan | undefined> {
  const pages = await db<{ listings: Listing[]; readAt: Date; isLast: boolean; isEndOfList: boolean }[]>`
    select listings, read_at as "readAt", is_last as "isLast", is_end_of_list as "isEndOfList"
    from watch.scan_pages where feed_key = ${feedKey} order by page`;
  const [first] = pages;
  if (!first || !pages.some(({ isLast }) => isLast)) return undefined;
  return {
    listings: pages.flatMap(({ listings }) => listings),
    baselineAt: first.readAt,
    isEndOfList: pages.some(({ isEndOfList }) => isEndOfList),
  };
}

export async function deleteFullScan(db: Db, feedKey: string): Promise<void> {
  await db`delete from watch.scan_pages where feed_key = ${feedKey}`;
}

/** Those of these listings whose price changed since, in their current state. */
export async function readRepricedSince(db: Db, codes: readonly string[], since: Date): Promise<Listing[]> {
  const rows = await db<{ listing: Listing }[]>`
    select portal.listing from watch.portal_listings as portal
    where portal.listing_id in (select jsonb_array_elements_text(${jsonOf(db, codes)}))
      and exists (
        select from watch.prices where prices.listing_id = portal.listing_id and prices.seen_at >= ${since}
      )`;
  return rows.map(({ listing }) => listing);
}
