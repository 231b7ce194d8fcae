/**
 * Divides a source's requests among its feeds: how often each is checked. While there are enough, all of them as often as
 * configured. Otherwise:
 *
 *   new feed ──a share of what is free──► promised ──plan of the day, if requests are free──► promised, shorter
 *
 * A promised interval never gets longer because others came. It does if its person adds searches, or if the requests do not last:
 * then all get longer by the same factor.
 */
import { type FeedLoad, pagesPerHour } from "./feed-cost.ts";
import type { NewInterval } from "./feed-intervals.ts";
import { readableInterval } from "./month-plan.ts";

/** The plan of the day shortens intervals up to this share of the requests; the rest is for newcomers and retries. */
const PLANNED_SHARE = 0.85;
const NEWCOMERS_SHARE = 0.95;
/** Of what is free for newcomers, for each of them. */
const SHARE_OF_ONE = 1 / 3;
/** Intervals are shortened if the longest becomes shorter by this factor. */
const SHORTER_FROM = 1.15;
/** Loads are estimates: only beyond this share of the requests all intervals get longer. */
const STRAINED_SHARE = 1.1;
/** Stands for a search that has to wait until others leave. */
const LONGEST_SECONDS = 365 * 86_400;

export interface SharingFeed {
  readonly key: string;
  readonly advertsPerHour: number;
  /** Null for a new one. */
  readonly promisedSeconds: number | null;
  /** The person, if it serves one only. */
  readonly ownerId: string | null;
}

export interface Sharing {
  readonly feeds: readonly SharingFeed[];
  readonly askedSeconds: number;
  /** What the source can answer in the long run: what is left of a month is no reason to promise more. */
  readonly pagesPerHour: number;
  /** What it can answer until there are new requests. */
  readonly lastingPerHour: number;
  /** What weekly scans of the feeds take, and what they may take at most. */
  readonly scannedPerHour: number;
  readonly mostScannedPerHour: number;
  /** Until there are new requests. */
  readonly secondsLeft: number;
  readonly isDaily: boolean;
}

export function shareIntervals(sharing: Sharing): Map<string, NewInterval> {
  const { feeds, askedSeconds, isDaily, lastingPerHour: lasting, ...source } = sharing;
  const { pagesPerHour: capacity, scannedPerHour, mostScannedPerHour } = source;
  const shared = feeds.map((feed): Shared => {
    return { ...feed, intervalSeconds: Math.max(askedSeconds, feed.promisedSeconds ?? askedSeconds) };
  });
  if (suffices(sharing))
    return promisesOf(shared.map((feed) => ({ ...feed, intervalSeconds: askedSeconds })));
  const promised = shared.filter(({ promisedSeconds }) => promisedSeconds !== null);
  const added = shared.filter(({ promisedSeconds }) => promisedSeconds === null);
  if (added.length > 0) {
    const free = freePerHour(promised, { capacity: capacity * NEWCOMERS_SHARE, mostScannedPerHour });
    admit(added, promised, { free, askedSeconds });
  } else if (isDaily) level(promised, capacity * PLANNED_SHARE - scannedPerHour, askedSeconds);
  return totalOf(shared) <= lasting * STRAINED_SHARE ? promisesOf(shared) : lengthened(shared, sharing);
}

/** Whether all feeds can be checked as often as configured. */
export function suffices({ feeds, askedSeconds, pagesPerHour: capacity }: Sharing): boolean {
  return (
    totalOf(feeds.map((feed) => ({ ...feed, intervalSeconds: askedSeconds }))) <= capacity * NEWCOMERS_SHARE
  );
}

/** Scans take half of what is free at most, so that newcomers find room. */
function freePerHour(
  promised: readonly FeedLoad[],
  { capacity, mostScannedPerHour }: { capacity: number; mostScannedPerHour: number },
): number {
  const free = Math.max(0, capacity - totalOf(promised));
  return free - Math.min(mostScannedPerHour, free / 2);
}

/** The requests until the end of the month that are promised to nobody. */
export function freeRequests(sharing: Sharing): number {
  const { feeds, askedSeconds, pagesPerHour: capacity, mostScannedPerHour, secondsLeft } = sharing;
  if (secondsLeft === 0 || suffices(sharing)) return Number.POSITIVE_INFINITY;
  const promised = feeds.flatMap(({ advertsPerHour, promisedSeconds }) =>
    promisedSeconds === null
      ? []
      : { advertsPerHour, intervalSeconds: Math.max(askedSeconds, promisedSeconds) },
  );
  if (promised.length === 0) return Number.POSITIVE_INFINITY;
  return (freePerHour(promised, { capacity, mostScannedPerHour }) * secondsLeft) / 3_600;
}

/** What a new feed would get. */
export function intervalForNew(sharing: Sharing, advertsPerHour: number): number {
  const added = { key: "", advertsPerHour, promisedSeconds: null, ownerId: null };
  const plan = shareIntervals({ ...sharing, feeds: [...sharing.feeds, added], isDaily: false });
  return plan.get("")?.promisedSeconds ?? sharing.askedSeconds;
}

type Shared = SharingFeed & { intervalSeconds: number };

const totalOf = (feeds: readonly FeedLoad[]): number =>
  feeds.reduce((sum, feed) => sum + pagesPerHour(feed), 0);

const promisesOf = (feeds: readonly Shared[]) =>
  new Map(
    feeds.map(({ key, intervalSeconds }) => [key, { intervalSeconds, promisedSeconds: intervalSeconds }]),
  );

/** All by the same factor, and not beyond the first check with new requests. */
function lengthened(
  feeds: readonly Shared[],
  { lastingPerHour: capacity, askedSeconds, secondsLeft }: Sharing,
): Map<string, NewInterval> {
  const longer = ({ intervalSeconds }: Shared, factor: number) =>
    Math.min(intervalSeconds * factor, secondsLeft + intervalSeconds);
  const factor = smallest(1, LONGEST_SECONDS / askedSeconds, (times) => {
    const slower = feeds.map((feed) => ({ ...feed, intervalSeconds: longer(feed, times) }));
    return totalOf(slower) <= capacity * NEWCOMERS_SHARE;
  });
  return new Map(
    feeds.map((feed) => {
      const intervalSeconds = readable(longer(feed, factor), askedSeconds);
      return [feed.key, { intervalSeconds, promisedSeconds: feed.intervalSeconds }];
    }),
  );
}

interface Room {
  readonly free: number;
  readonly askedSeconds: number;
}

/** New feeds of one person share with those that only this person has. */
function admit(added: readonly Shared[], promised: readonly Shared[], { free, askedSeconds }: Room): void {
  const byOwner = [...Map.groupBy(added, ({ ownerId, key }) => ownerId ?? key).values()];
  const each = (free * (1 - (1 - SHARE_OF_ONE) ** byOwner.length)) / byOwner.length;
  for (const feeds of byOwner) {
    const ownerId = feeds[0]?.ownerId ?? null;
    const own = ownerId === null ? [] : promised.filter((feed) => feed.ownerId === ownerId);
    const all = [...own, ...feeds];
    const seconds = commonInterval(all, totalOf(own) + each, askedSeconds);
    for (const feed of all) set(feed, seconds, askedSeconds);
  }
}

/** The longest intervals first. */
function level(feeds: readonly Shared[], capacity: number, askedSeconds: number): void {
  const levelled = (seconds: number) =>
    feeds.map((feed) => ({ ...feed, intervalSeconds: Math.min(feed.intervalSeconds, seconds) }));
  const seconds = smallest(askedSeconds, LONGEST_SECONDS, (length) => totalOf(levelled(length)) <= capacity);
  const next = readable(seconds, askedSeconds);
  if (!feeds.some(({ intervalSeconds }) => next * SHORTER_FROM <= intervalSeconds)) return;
  for (const feed of feeds) feed.intervalSeconds = Math.min(feed.intervalSeconds, next);
}

function commonInterval(feeds: readonly Shared[], capacity: number, askedSeconds: number): number {
  return smallest(askedSeconds, LONGEST_SECONDS, (intervalSeconds) => {
    return totalOf(feeds.map((feed) => ({ ...feed, intervalSeconds }))) <= capacity;
  });
}

function set(feed: Shared, seconds: number, askedSeconds: number): void {
  feed.intervalSeconds = readable(seconds, askedSeconds);
}

function readable(seconds: number, askedSeconds: number): number {
  return readableInterval(Math.ceil(seconds), askedSeconds);
}

/** The smallest number for which it holds; the greatest if it holds for none. */
function smallest(least: number, greatest: number, holds: (value: number) => boolean): number {
  if (holds(least)) return least;
  let [low, high] = [least, Math.max(least, greatest)];
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
