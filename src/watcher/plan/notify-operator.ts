import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { readCostlyFeeds } from "../rows/feeds/costly-feeds.ts";
import type { FeedRow } from "../rows/feeds/feeds.ts";
import { isFirstCostWarning, isFirstWarning } from "../rows/feeds/request-budget.ts";
import type { MonthPlan, MonthRequests } from "./month-plan.ts";

/** The operator is warned when this share of the month's requests is used. */
const WARNED_SHARE = 0.8;
const NAMED_FEEDS = 10;

interface PlanReport {
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

export async function notifyOperatorOfPlan(operator: Operator, report: PlanReport): Promise<void> {
  logInterval(operator, report);
  if (report.month === null) return;
  await warnBeforeSpent(operator, report.source, report.month);
  await nameCostlyFeeds(operator, report, report.month);
}

function logInterval({ logger, checkIntervalSeconds }: Operator, report: PlanReport): void {
  const { source, month, plan, heldSeconds = checkIntervalSeconds, feeds } = report;
  if (plan.intervalSeconds === heldSeconds || feeds === 0) return;
  const fields = { source, feeds, monthlyRequests: month?.limit ?? null, checkIntervalSeconds, ...plan };
  if (plan.isStretched) {
    logger.warn(
      fields,
      "the monthly quota is too small for the configured interval: all feeds are checked less often",
    );
  } else logger.info(fields, "all feeds are checked at the configured interval");
}

async function warnBeforeSpent(
  { sql, logger, now }: Operator,
  source: FeedRow["source"],
  { limit, used }: MonthRequests,
): Promise<void> {
  if (used < limit * WARNED_SHARE || !(await isFirstWarning(sql, source, new Date(now())))) return;
  logger.warn(
    { source, monthlyRequests: limit, used },
    "most of this month's requests are used: once they are spent, there are no checks until the next month",
  );
}

async function nameCostlyFeeds(
  { sql, logger, now }: Operator,
  { source, plan }: PlanReport,
  { limit }: MonthRequests,
): Promise<void> {
  const costly = await readCostlyFeeds(sql, source, { limit, intervalSeconds: plan.intervalSeconds });
  if (costly.length === 0 || !(await isFirstCostWarning(sql, source, new Date(now())))) return;
  logger.warn(
    { source, count: costly.length, feeds: costly.slice(0, NAMED_FEEDS) },
    "some expensive feeds serve only one person each",
  );
}
