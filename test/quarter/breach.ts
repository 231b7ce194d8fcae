import { offTimesOf, type QuarterPerson } from "./people.ts";
import type { Received } from "./received.ts";
import type { HomeTruth, Truth } from "./truth.ts";

export interface Breach {
  readonly what:
    | "lost"
    | "never read"
    | "cut lost"
    | "not summed up"
    | "told twice"
    | "told without cause"
    | "told but does not fit"
    | "never started"
    | "checked less often because of others"
    | "quota exceeded";
  readonly person: number | null;
  readonly code: string | null;
  readonly at: number;
  readonly details: string;
}

/** One person and one home. */
export interface Case {
  readonly truth: Truth;
  readonly person: QuarterPerson;
  readonly home: HomeTruth;
  /** When the simulation ends. */
  readonly ends: number;
}

export type Told = Extract<Received, { is: "told" }>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** After a shorter pause everything is told; after a longer one there is a summary. */
const LONG_OFF_MS = DAY_MS - HOUR_MS / 6;

export const toldOf = ({ received }: QuarterPerson, code: string): Told[] =>
  received.filter((one): one is Told => one.is === "told" && one.code === code);

export const longOffTimesOf = (person: QuarterPerson) =>
  offTimesOf(person).filter(({ from, until }) => until - from >= LONG_OFF_MS);

export const stamp = (at: number) =>
  Number.isFinite(at) ? new Date(at).toISOString().slice(5, 16) : "never";

/** What a person wanted, and what they were told besides homes. */
export const storyOf = ({ states, received }: QuarterPerson): string =>
  [
    ...states.map(({ at, wish, isPaused, isChatLost }) => {
      const off = `${isPaused ? " paused" : ""}${isChatLost ? " without chat" : ""}`;
      return `${stamp(at)} ${wish ? `${wish.place} ${wish.maxPriceEur}` : "left"}${off}`;
    }),
    ...received.flatMap((one) => {
      if (one.is === "told") return [];
      const what =
        one.is === "summed-up"
          ? `got a summary of ${one.count}`
          : `gap ${stamp(one.from)}–${stamp(one.until)}`;
      return [`${stamp(one.at)} ${what}`];
    }),
  ].join(", ");
