// What each search is promised, right before and right after somebody else comes or wants more: nothing else happens in between.
import type { Sql } from "postgres";
import type { TimedAct } from "./acts.ts";

/** A person whose search is checked less often since another one's act. */
export interface Lengthening {
  readonly at: number;
  readonly person: number;
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  readonly cause: TimedAct;
}

interface Comparing {
  readonly sql: Sql;
  readonly people: ReadonlyMap<number, { readonly number: number; readonly searchId: string }>;
  now(): number;
  /** Lets the watcher do all that is due, without any time passing. */
  settle(): Promise<void>;
  perform(): Promise<void>;
}

/** Others come, or ask for more than before. */
export const isDemand = ({ act }: TimedAct): boolean =>
  act === "join" || act === "edit" || act === "resume" || act === "regain-chat";

/** By search, as pages and chats say it. */
export async function readIntervals(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; seconds: number | null }[]>`
    select id, (watch.state_of_search(id) ->> 'interval_seconds')::int as seconds from public.searches`;
  return new Map(rows.flatMap(({ id, seconds }) => (seconds === null ? [] : [[id, seconds]])));
}

export async function comparePromises(
  cause: TimedAct,
  { sql, people, now, settle, perform }: Comparing,
): Promise<Lengthening[]> {
  await settle();
  const before = await readIntervals(sql);
  await perform();
  await settle();
  const after = await readIntervals(sql);
  return [...people.values()].flatMap(({ number, searchId }) => {
    const [beforeSeconds, afterSeconds] = [before.get(searchId), after.get(searchId)];
    if (beforeSeconds === undefined || afterSeconds === undefined || afterSeconds <= beforeSeconds) return [];
    if ("person" in cause && cause.person === number) return [];
    return [{ at: now(), person: number, beforeSeconds, afterSeconds, cause }];
  });
}
