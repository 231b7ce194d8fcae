import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { markSpent, readUnspentFeeds, type SpentQuota, tellSpent } from "#store/feeds/spent-quota.ts";
import { DOWN_AFTER_ROUNDS } from "../ingest/ingest-reading.ts";
import { spreadOf } from "./feed-intervals.ts";
import { CATCH_UP_MS } from "./set-feed-intervals.ts";

/**
 * The month's requests are spent: everyone the source serves is told so, and until when, at once. Nothing is asked before
 * the moment that is known; where the source only said that it is so, the feeds go on trying.
 */
export async function spendSource(sql: Sql, spent: SpentQuota & { isKnown: boolean }): Promise<void> {
  const keys = await readUnspentFeeds(sql, spent);
  const feeds = keys.map((key) => ({
    key,
    nextCheckAt: spent.isKnown ? new Date(spent.until.getTime() + spreadOf(key, CATCH_UP_MS)) : null,
  }));
  await inTransaction(sql, (db) => markSpent(db, feeds, { ...spent, roundsDown: DOWN_AFTER_ROUNDS }));
  await tellSpent(sql, spent);
}
