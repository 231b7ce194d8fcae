import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { readCostlyFeeds } from "#store/feeds/costly-feeds.ts";
import type { FeedRow } from "#store/feeds/feeds.ts";
import { isFirstCostNotice, isFirstWarning } from "#store/feeds/request-budget.ts";
import type { MonthPlan, MonthRequests } from "./month-plan.ts";

/** From so much of the month's requests on the operator is told that they may end. */
const WARNED_SHARE = 0.8;
const NAMED_FEEDS = 10;

interface Told {
  readonly source: FeedRow["source"];
  readonly month: MonthRequests | null;
  readonly plan: MonthPlan;
  readonly heldSeconds: number | undefined;
  readonly feeds: number;
}

interface Operator {
  readonly sql: Sql;
  readonly checkIntervalSeconds: number;
  readonly now: () => number;
  readonly logger: Logger;
}

export async function notifyOperatorOfPlan(operator: Operator, told: Told): Promise<void> {
  sayInterval(operator, told);
  if (told.month === null) return;
  await warnBeforeSpent(operator, told.source, told.month);
  await nameCostlyFeeds(operator, told, told.month);
}

function sayInterval({ logger, checkIntervalSeconds }: Operator, told: Told): void {
  const { source, month, plan, heldSeconds = checkIntervalSeconds, feeds } = told;
  if (plan.intervalSeconds === heldSeconds || feeds === 0) return;
  const fields = { source, feeds, monthlyRequests: month?.limit ?? null, checkIntervalSeconds, ...plan };
  if (plan.isStretched) {
    logger.warn(
      fields,
      "The month's requests do not carry the interval asked for: every feed is checked less often",
    );
  } else logger.info(fields, "Every feed is checked at the interval asked for");
}

async function warnBeforeSpent(
  { sql, logger, now }: Operator,
  source: FeedRow["source"],
  { limit, used }: MonthRequests,
): Promise<void> {
  if (used < limit * WARNED_SHARE || !(await isFirstWarning(sql, source, new Date(now())))) return;
  logger.warn(
    { source, monthlyRequests: limit, used },
    "Most of this month's requests are used: when they are spent nobody is checked until the next month",
  );
}

async function nameCostlyFeeds(
  { sql, logger, now }: Operator,
  { source, plan }: Told,
  { limit }: MonthRequests,
): Promise<void> {
  const costly = await readCostlyFeeds(sql, source, { limit, intervalSeconds: plan.intervalSeconds });
  if (costly.length === 0 || !(await isFirstCostNotice(sql, source, new Date(now())))) return;
  logger.warn(
    { source, count: costly.length, feeds: costly.slice(0, NAMED_FEEDS) },
    "Searches that cost much serve one person each",
  );
}
