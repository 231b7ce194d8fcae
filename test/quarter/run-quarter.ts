// Runs a quarter: acts at their times, the watcher when something is due, and the sender.
import type { WatchTasks } from "#watcher/watch-tasks.ts";
import { runDue } from "../watching/story.ts";
import { minutesOf, type Quarter, type TimedAct } from "./acts.ts";
import { performAct } from "./perform-act.ts";
import { createQuarterWorld, QUARTER_BEGINS, type QuarterWorld } from "./quarter-world.ts";
import { collectReceived } from "./received.ts";

const MINUTE_MS = 60_000;
/** Feeds that become due within this time are checked together. */
const STEP_MS = 10 * MINUTE_MS;
const SWEEP_MS = 60 * MINUTE_MS;
const HOUSEKEEPING_MS = 6 * 60 * MINUTE_MS;
const CHECK_INTERVAL_SECONDS = 600;

/** The caller closes the world. */
export async function runQuarter(quarter: Quarter): Promise<QuarterWorld> {
  const world = await createQuarterWorld(quarter.monthlyRequests, CHECK_INTERVAL_SECONDS);
  let tasks: WatchTasks | undefined = await world.startWatcher();
  const sender = await world.delivery.startSender();
  const ends = QUARTER_BEGINS + minutesOf(quarter) * MINUTE_MS;
  const acts = timesOf(quarter);
  let keptAt = world.now();
  let sweptAt = 0;
  let steps = 0;
  while (world.now() < ends) {
    if (process.env.PROGRESS && steps++ % 20 === 0) process.stderr.write(`${steps} ${new Date(world.now()).toISOString()} ${acts.length} ${Math.round(performance.now())}\n`);
    let hasActed = false;
    while (acts[0] && acts[0].at <= world.now()) {
      hasActed ||= isOfPerson(acts[0].act);
      await performAct(world, acts.shift()?.act as never);
    }
    const isStopped = world.now() < world.troubles.stoppedUntil;
    endTroubles(world);
    if (isStopped) tasks = undefined;
    else {
      const isNew = tasks === undefined;
      tasks ??= await world.startWatcher();
      if (isNew || hasActed || world.now() - sweptAt >= SWEEP_MS) {
        sweptAt = world.now();
        await runDue(tasks);
      } else await checkDue(tasks);
      if (await isSomethingToSend(world)) await world.delivery.run(sender, MINUTE_MS);
      if (world.now() - keptAt >= HOUSEKEEPING_MS) {
        keptAt = world.now();
        await collectReceived(world.sql, world.delivery.telegram, world.people.values(), world.seen);
        await tasks.housekeep();
      }
    }
    const next = Math.min(acts[0]?.at ?? ends, isStopped ? world.troubles.stoppedUntil : await nextDue(world), ends);
    await world.advanceTo(Math.max(next, world.now() + 1_000));
  }
  await collectReceived(world.sql, world.delivery.telegram, world.people.values(), world.seen);
  return world;
}

/** Then the searches are compiled at once, as after a notification. */
const isOfPerson = (act: TimedAct) => "person" in act;

/** Between sweeps. */
async function checkDue(tasks: WatchTasks): Promise<void> {
  for (const key of await tasks.findDue(1_000)) await tasks.check(key, new AbortController().signal);
}

function timesOf({ acts }: Quarter) {
  let minute = 0;
  return acts.map((act) => {
    minute += act.after;
    return { act, at: QUARTER_BEGINS + minute * MINUTE_MS };
  });
}

function endTroubles({ portal, troubles, now }: QuarterWorld): void {
  if (now() >= troubles.sourceUntil) portal.faults.clear();
}

/** The next check of a feed, or the next sweep. */
async function nextDue({ sql, now, troubles }: QuarterWorld): Promise<number> {
  const [row] = await sql<[{ at: Date | null }]>`
    select min(next_check_at) as at from watch.feeds where idle_since is null`;
  const due = Math.ceil((row.at?.getTime() ?? now()) / STEP_MS) * STEP_MS;
  const sweep = now() + SWEEP_MS;
  const troubleEnd = troubles.sourceUntil > now() ? troubles.sourceUntil : sweep;
  return Math.min(Math.max(due, now() + STEP_MS), sweep, troubleEnd);
}

async function isSomethingToSend({ sql, now }: QuarterWorld): Promise<boolean> {
  const rows = await sql`
    select from watch.alerts where state in ('pending', 'sending') and not_before <= ${new Date(now())} limit 1`;
  return rows.length > 0;
}
