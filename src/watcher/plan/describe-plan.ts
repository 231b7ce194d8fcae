/** Describes what watching all saved filters costs: the remaining requests, their use, and the searches of each feed. */
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { expensiveAbove } from "../rows/feeds/costly-feeds.ts";
import type { PlannedFeed } from "./feed-cost.ts";
import { type MonthPlan, planMonth, USUAL_REQUESTS } from "./month-plan.ts";
import { type KeyedSearch, planFeeds } from "./plan-feeds.ts";

export interface PlannedSource {
  /** Null if unlimited. */
  readonly monthlyRequests: number | null;
  readonly used: number;
  readonly heldSeconds?: number | undefined;
}

export interface PlanSubject {
  readonly links: readonly { readonly filterUrl: string; readonly people: number }[];
  readonly demoUrl?: string | undefined;
  readonly checkIntervalSeconds: number;
  readonly pages: { readonly baseline: number; readonly deep: number };
  readonly now: number;
  readonly official?: PlannedSource | undefined;
  readonly byUrl?: PlannedSource | undefined;
  /** The average number of requests per check, for feeds that were checked before. */
  readonly requestsPerCheck?: ReadonlyMap<string, number>;
}

interface Served {
  readonly searches: Set<string>;
  people: number;
}

export function describePlan(subject: PlanSubject): string {
  const { links, official, byUrl } = subject;
  const parsed = links.map((link) => ({ ...link, ...keyedOf(link.filterUrl) }));
  const searches = parsed.filter((link) => link.search !== undefined) as (KeyedSearch & { people: number })[];
  const sources = { hasOfficial: official !== undefined, hasByUrl: byUrl !== undefined };
  const plan = planFeeds({ feeds: [], searches, ...sources });
  const served = new Map<string, Served>();
  for (const { searchKey, people } of searches) {
    const key = plan.feedKeyOf.get(searchKey) ?? "";
    const one = served.get(key) ?? { searches: new Set(), people: 0 };
    one.searches.add(searchKey);
    one.people += people;
    served.set(key, one);
  }
  const ofSource = (source: PlannedFeed["source"]) => plan.added.filter((feed) => feed.source === source);
  return [
    ...sourceLines("Official API", official, { subject, served, feeds: ofSource("official") }),
    ...sourceLines("By URL", byUrl, { subject, served, feeds: ofSource("by-url") }),
    ...demoLines(subject, plan.added, sources),
    ...restLines(parsed.length - searches.length, served.get("")),
  ].join("\n");
}

function keyedOf(filterUrl: string): Partial<KeyedSearch> {
  const parsed = parseSearchUrl(filterUrl);
  return parsed.ok ? { search: parsed.search, searchKey: parsed.searchKey } : {};
}

interface SourceContext {
  readonly subject: PlanSubject;
  readonly served: ReadonlyMap<string, Served>;
  readonly feeds: readonly PlannedFeed[];
}

function sourceLines(name: string, source: PlannedSource | undefined, context: SourceContext): string[] {
  if (!source) return [`${name}: not configured`];
  const { subject, served } = context;
  const { checkIntervalSeconds, pages, now, requestsPerCheck } = subject;
  const { monthlyRequests: limit, used, heldSeconds } = source;
  const feeds = context.feeds.map(({ key }) => ({
    key,
    requestsPerCheck: requestsPerCheck?.get(key) ?? USUAL_REQUESTS,
    hasLooked: requestsPerCheck?.has(key) ?? false,
    ...(served.get(key) ?? { searches: new Set(), people: 0 }),
  }));
  const month = limit === null ? null : { limit, used, now };
  const plan = planMonth({ checkIntervalSeconds, month, feeds, pages, heldSeconds });
  const above = expensiveAbove(limit, plan.intervalSeconds);
  return [
    `${name}: ${feeds.length} feeds, ${verdictOf(plan, checkIntervalSeconds)}`,
    ...(limit === null ? ["  no request limit"] : monthLines(plan, { limit, used })),
    ...feeds.map(({ key, searches, people, requestsPerCheck: perCheck }) => {
      const cost = perCheck > above && people === 1 ? ", EXPENSIVE and serves one person" : "";
      return `  ${key}: ${searches.size} searches of ${people} people, ${oneDecimal(perCheck)} requests per check${cost}`;
    }),
  ];
}

function verdictOf({ isStretched, intervalSeconds }: MonthPlan, asked: number): string {
  return isStretched ? `NOT every ${asked} s: every ${intervalSeconds} s` : `every ${intervalSeconds} s`;
}

function monthLines(plan: MonthPlan, { limit, used }: { limit: number; used: number }): string[] {
  const deep = plan.hasFullScans
    ? `${plan.fullScans} for full scans`
    : `${Math.round(plan.weeklyPages * 4.3)} for weekly scans`;
  return [
    `  this month: ${limit} requests, ${used} used, ${plan.left} left${plan.left === 0 ? ": SPENT" : ""}`,
    `  of these: ${plan.rounds} for rounds, ${plan.firstChecks} for first checks, ${deep}, ${plan.reserve} reserved for newcomers`,
  ];
}

/** A demo inside another feed costs nothing. */
function demoLines(
  { demoUrl }: PlanSubject,
  feeds: readonly PlannedFeed[],
  sources: { hasOfficial: boolean; hasByUrl: boolean },
): string[] {
  const demo = demoUrl === undefined ? {} : keyedOf(demoUrl);
  if (demo.search === undefined || demo.searchKey === undefined) return [];
  const { search, searchKey } = demo;
  const plan = planFeeds({ feeds, searches: [], piggyback: [{ search, searchKey }], ...sources });
  const key = plan.feedKeyOf.get(searchKey);
  if (key) return [`Demo: served by ${key}, no extra requests`];
  return [`Demo: a feed of its own if that delays nobody, ${USUAL_REQUESTS} requests per check`];
}

function restLines(unreadable: number, sourceless: Served | undefined): string[] {
  const lines = [];
  if (sourceless)
    lines.push(`No source: ${sourceless.searches.size} searches of ${sourceless.people} people`);
  if (unreadable > 0) lines.push(`Not a search: ${unreadable} links`);
  return lines;
}

function oneDecimal(value: number): string {
  return String(Math.round(value * 10) / 10);
}
