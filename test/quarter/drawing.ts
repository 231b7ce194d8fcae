// What is drawn so far, and what all parts of a drawing need.
import type { Random } from "../seeded.ts";
import type { Act, Operation, Wish } from "./acts.ts";

/** In minutes, as all times of a drawing. */
export const DAY = 1440;
/** With the highest price that people ask for there. */
export const PLACES: readonly {
  readonly place: string;
  readonly operation: Operation;
  readonly priceEur: number;
}[] = [
  { place: "getafe-madrid", operation: "sale", priceEur: 300_000 },
  { place: "alcobendas-madrid", operation: "sale", priceEur: 400_000 },
  { place: "leganes-madrid", operation: "sale", priceEur: 280_000 },
  { place: "madrid/retiro", operation: "sale", priceEur: 700_000 },
  { place: "madrid-madrid", operation: "rent", priceEur: 1_500 },
  { place: "barcelona/eixample", operation: "sale", priceEur: 600_000 },
];
const SHARES = [0.6, 0.8, 1, 1.25, 1.6] as const;

export interface QuarterSize {
  readonly days: number;
  readonly people: number;
  readonly monthlyRequests: number | null;
}

export interface Drawing {
  readonly random: Random;
  readonly size: QuarterSize;
  readonly beginsAt: number;
  readonly places: typeof PLACES;
  readonly timed: { readonly minute: number; readonly act: Act }[];
  homes: number;
}

export const between = (random: Random, low: number, high: number) =>
  Math.floor(low + random() * (high - low + 1));
export const pick = <T>(random: Random, choices: readonly T[]): T =>
  choices[Math.floor(random() * choices.length)] as T;

export function drawWish({ random, places }: Drawing, near?: Wish): Wish {
  const chosen = (near && places.find(({ place }) => place === near.place)) ?? pick(random, places);
  const maxPriceEur = Math.round(chosen.priceEur * pick(random, SHARES));
  return { place: chosen.place, operation: chosen.operation, maxPriceEur };
}

type Join = Extract<Act, { act: "join" }>;

/** Of people, not of their further searches. */
export const joinsIn = ({ timed }: Pick<Drawing, "timed">): { minute: number; act: Join }[] =>
  timed.flatMap(({ minute, act }) =>
    act.act === "join" && act.secondOf === undefined ? [{ minute, act }] : [],
  );
