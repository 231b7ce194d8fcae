/** What watching all saved filters takes, in words: feeds, whom each serves, requests a month. */
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { intervalOf } from "./feed-intervals.ts";
import { type KeyedSearch, type PlannedFeed, planFeeds } from "./plan-feeds.ts";

export interface PlanSubject {
  readonly links: readonly { readonly filterUrl: string; readonly people: number }[];
  readonly checkIntervalSeconds: number;
  /** Monthly requests of each source that is configured; null where they are not limited. */
  readonly official?: number | null | undefined;
  readonly byUrl?: number | null | undefined;
  /** Requests a check has taken so far, by feed; two where nothing is known. */
  readonly requestsPerCheck?: ReadonlyMap<string, number>;
}

const USUAL_REQUESTS = 2;

interface Served {
  readonly searches: Set<string>;
  people: number;
}

export function describePlan(subject: PlanSubject): string {
  const { links, official, byUrl } = subject;
  const parsed = links.map((link) => ({ ...link, ...keyedOf(link.filterUrl) }));
  const searches = parsed.filter((link) => link.search !== undefined) as (KeyedSearch & { people: number })[];
  const plan = planFeeds({
    feeds: [],
    searches,
    hasOfficial: official !== undefined,
    hasByUrl: byUrl !== undefined,
  });
  const served = new Map<string, Served>();
  for (const { searchKey, people } of searches) {
    const key = plan.feedKeyOf.get(searchKey) ?? "";
    const one = served.get(key) ?? { searches: new Set(), people: 0 };
    one.searches.add(searchKey);
    one.people += people;
    served.set(key, one);
  }
  return [
    ...sourceLines("Official API", plan.added.filter(isOf("official")), {
      subject,
      served,
      monthlyRequests: official,
    }),
    ...sourceLines("By URL", plan.added.filter(isOf("by-url")), { subject, served, monthlyRequests: byUrl }),
    ...restLines(parsed.length - searches.length, served.get("")),
  ].join("\n");
}

const isOf = (source: PlannedFeed["source"]) => (feed: PlannedFeed) => feed.source === source;

function keyedOf(filterUrl: string): Partial<KeyedSearch> {
  const parsed = parseSearchUrl(filterUrl);
  return parsed.ok ? { search: parsed.search, searchKey: parsed.searchKey } : {};
}

interface SourceContext {
  readonly subject: PlanSubject;
  readonly served: ReadonlyMap<string, Served>;
  readonly monthlyRequests: number | null | undefined;
}

function sourceLines(name: string, feeds: readonly PlannedFeed[], context: SourceContext): string[] {
  const { subject, served, monthlyRequests } = context;
  if (monthlyRequests === undefined) return [`${name}: not configured`];
  const { checkIntervalSeconds } = subject;
  const costs = feeds.map(({ key }) => subject.requestsPerCheck?.get(key) ?? USUAL_REQUESTS);
  const interval = intervalOf({ checkIntervalSeconds, monthlyRequests, requestsPerCheck: costs });
  const allowance = monthlyRequests === null ? "no limit" : `${monthlyRequests} a month`;
  const verdict = interval.isStretched
    ? `NOT every ${checkIntervalSeconds} s: every ${interval.intervalSeconds} s`
    : `every ${interval.intervalSeconds} s`;
  return [
    `${name}: ${feeds.length} feeds, ${verdict}, about ${interval.requestsPerMonth} requests a month (budget: ${allowance})`,
    ...feeds.map(({ key }, n) => {
      const { searches, people } = served.get(key) ?? { searches: new Set(), people: 0 };
      const perMonth = Math.round(((costs[n] ?? 0) * 30 * 86_400) / interval.intervalSeconds);
      return `  ${key}: ${searches.size} searches of ${people} people, ${perMonth} requests a month`;
    }),
  ];
}

function restLines(unreadable: number, sourceless: Served | undefined): string[] {
  const lines = [];
  if (sourceless)
    lines.push(`No source: ${sourceless.searches.size} searches of ${sourceless.people} people`);
  if (unreadable > 0) lines.push(`No search: ${unreadable} links`);
  return lines;
}
