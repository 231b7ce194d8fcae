import type { HeldDemo } from "#store/feeds/demo-filters.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import { type MonthInput, planMonth, USUAL_REQUESTS } from "./month-plan.ts";

/** Under a hundredth of the month's requests nobody would miss. */
const SMALL_SHARE = 0.01;
const PROMISED_SECONDS = 600;
const MONTH_SECONDS = 30 * 86_400;

/**
 * The landing page's demo has a feed of its own only where everyone is still checked as promised beside it, and while
 * nobody is watched for only where requests are plenty. Otherwise it shows what the feeds of others see.
 */
export function mayDemoCost(
  input: Omit<MonthInput, "feeds"> & { readonly feeds: readonly FeedRow[] },
  demo: Pick<HeldDemo, "feedKey" | "isShared" | "mayCost"> | undefined,
): boolean {
  const { month, checkIntervalSeconds } = input;
  const own = demo?.isShared ? undefined : input.feeds.find(({ key }) => key === demo?.feedKey);
  const others = input.feeds.filter((feed) => feed !== own);
  const requestsPerCheck = own?.requestsPerCheck ?? USUAL_REQUESTS;
  const perMonth = (requestsPerCheck * MONTH_SECONDS) / PROMISED_SECONDS;
  const arePlenty = month === null || perMonth <= month.limit * SMALL_SHARE;
  if (others.length === 0 && !arePlenty) return false;
  const longest = Math.max(checkIntervalSeconds, PROMISED_SECONDS);
  const feeds = [...others.map(seen), { requestsPerCheck, hasLooked: own?.lastOkAt != null }];
  // A demo that is paid for now is not given up for a trifle.
  const heldSeconds = demo?.mayCost ? longest : undefined;
  const plan = planMonth({ ...input, checkIntervalSeconds: longest, feeds, heldSeconds });
  return plan.intervalSeconds <= longest;
}

function seen({ requestsPerCheck, lastOkAt }: FeedRow) {
  return { requestsPerCheck, hasLooked: lastOkAt !== null };
}
