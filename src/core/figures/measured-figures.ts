/** The figures of the public page, as the database stores them. All are of the last 30 days. */
import type { Operation } from "../search/search.ts";

export const MEASURED_SOURCES = ["official", "by-url", "mail"] as const;
export type MeasuredSource = (typeof MEASURED_SOURCES)[number];

/** A smaller number of measurements says nothing. */
export const FEWEST_MEASURED = 20;

export interface Latency {
  readonly source: MeasuredSource;
  /** Alerts that Telegram accepted, except those held for quiet hours. */
  readonly count: number;
  /** From seeing the listing to Telegram's answer; null if there are too few. */
  readonly p50_seconds: number | null;
  readonly p95_seconds: number | null;
}

export interface Stay {
  readonly place_id: string;
  readonly place: string;
  readonly operation: Operation;
  /** Homes that were new at least a day, and at least a week ago. */
  readonly day_count: number;
  readonly week_count: number;
  /** Whole percent of them that were gone within a day, and within a week; null if there are too few. */
  readonly gone_in_day_percent: number | null;
  readonly gone_in_week_percent: number | null;
}

export interface MeasuredFigures {
  readonly measured_at: string;
  readonly latencies: readonly Latency[];
  /** The zones with the most homes first. */
  readonly stays: readonly Stay[];
}
