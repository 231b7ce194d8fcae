import type { MarketFigure, SizeBand } from "#core/finds/find.ts";
import { contains } from "#core/places/places.ts";

export interface ZoneRow {
  readonly placeId: string;
  readonly name: string;
  /** The district of a neighbourhood, if known. */
  readonly district: string | null;
  /** Null if fewer than five homes of this size were seen. */
  readonly figure: MarketFigure | null;
}

export const ZONE_LEVELS = ["neighbourhoods", "districts"] as const;
export type ZoneLevel = (typeof ZONE_LEVELS)[number];

export const SORT_KEYS = ["name", "seen", "price", "days", "cuts"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface RowOrder {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** The direction after the first click on a heading. */
const FIRST_DESCENDING: Readonly<Record<SortKey, boolean>> = {
  name: false,
  seen: true,
  price: false,
  days: false,
  cuts: true,
};

/** The order after a click on a heading: reversed if it is already sorted by it. */
export function nextOrder(order: RowOrder, key: SortKey): RowOrder {
  return { key, isDescending: order.key === key ? !order.isDescending : FIRST_DESCENDING[key] };
}

/** Ids of the portal: a district has one part more than its town, a neighbourhood two. */
const DISTRICT_PARTS = 8;
const partsOf = (placeId: string) => placeId.split("-").length;

function levelOf(placeId: string): ZoneLevel | "town" {
  const parts = partsOf(placeId);
  if (parts < DISTRICT_PARTS) return "town";
  return parts === DISTRICT_PARTS ? "districts" : "neighbourhoods";
}

/** The levels that the town has figures for, the finest first. */
export function levelsIn(figures: readonly MarketFigure[]): ZoneLevel[] {
  const present = new Set(figures.map(({ placeId }) => levelOf(placeId)));
  return ZONE_LEVELS.filter((level) => present.has(level));
}

/** The zones of a level that have figures for any size, with the figure for this size. */
export function zoneRows(
  figures: readonly MarketFigure[],
  { level, size }: { level: ZoneLevel; size: SizeBand },
): ZoneRow[] {
  const names = new Map(figures.map(({ placeId, placeName }) => [placeId, placeName]));
  const ofSize = new Map(
    figures.filter(({ sizeBand }) => sizeBand === size).map((one) => [one.placeId, one]),
  );
  return [...names]
    .filter(([placeId]) => levelOf(placeId) === level)
    .map(([placeId, name]) => ({
      placeId,
      name,
      district: level === "districts" ? null : (names.get(districtIdOf(placeId)) ?? null),
      figure: ofSize.get(placeId) ?? null,
    }));
}

function districtIdOf(placeId: string): string {
  return placeId.split("-").slice(0, DISTRICT_PARTS).join("-");
}

/** Rows without a value come last in both directions. */
export function sortedRows(rows: readonly ZoneRow[], order: RowOrder, collator: Intl.Collator): ZoneRow[] {
  const byName = (a: ZoneRow, b: ZoneRow) => collator.compare(a.name, b.name);
  const sign = order.isDescending ? -1 : 1;
  if (order.key === "name") return rows.toSorted((a, b) => sign * byName(a, b));
  const figureValue = VALUES[order.key];
  return rows.toSorted((a, b) => {
    const [one, other] = [figureValue(a.figure), figureValue(b.figure)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return sign * (one - other) || byName(a, b);
  });
}

export interface OwnRows {
  /** Of the areas that the person's searches look at; empty if those are all or none. */
  readonly own: readonly ZoneRow[];
  readonly others: readonly ZoneRow[];
}

export function ownFirst(
  rows: readonly ZoneRow[],
  searched: readonly { readonly placeId: string }[],
): OwnRows {
  const isOwn = (row: ZoneRow) =>
    searched.some(({ placeId }) => contains(placeId, row.placeId) || contains(row.placeId, placeId));
  const own = rows.filter(isOwn);
  if (own.length === rows.length) return { own: [], others: rows };
  return { own, others: rows.filter((row) => !isOwn(row)) };
}

const VALUES: Readonly<Record<Exclude<SortKey, "name">, (figure: MarketFigure | null) => number | null>> = {
  seen: (figure) => figure?.seenCount ?? null,
  price: (figure) => figure?.medianPerM2Eur ?? null,
  days: (figure) => figure?.medianDays ?? null,
  cuts: (figure) => figure?.cutPercent ?? null,
};

export interface Scales {
  /** From the lowest to the highest value of all strips. */
  readonly price: { readonly from: number; readonly to: number };
  readonly mostDays: number;
  readonly mostCuts: number;
}

/** The same scale for all zones, so that their strips can be compared. */
export function scalesOf(rows: readonly ZoneRow[]): Scales {
  const figures = rows.flatMap(({ figure }) => figure ?? []);
  return {
    price: {
      from: Math.min(...figures.map(({ lowPerM2Eur }) => lowPerM2Eur)),
      to: Math.max(...figures.map(({ highPerM2Eur }) => highPerM2Eur)),
    },
    mostDays: Math.max(1, ...figures.map(({ medianDays }) => medianDays ?? 0)),
    mostCuts: Math.max(1, ...figures.map(({ cutPercent }) => cutPercent)),
  };
}

/** The position of a value on a scale, from 0 to 100; 50 on a scale with a single value. */
export function percentOn({ from, to }: { from: number; to: number }, value: number): number {
  if (to <= from) return 50;
  return Math.min(100, Math.max(0, ((value - from) / (to - from)) * 100));
}
