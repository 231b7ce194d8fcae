// Runs a quarter: acts at their times, the watcher when something is due, and the sender.
import type { Dispatcher } from "#telegram/send/dispatcher.ts";
import type { WatchTasks } from "#watcher/watch-tasks.ts";
import { runDue } from "../watching/story.ts";
import { minutesOf, type Quarter, type TimedAct } from "./acts.ts";
import { performAct } from "./perform-act.ts";
import { comparePromises, isDemand } from "./promises.ts";
import { createQuarterWorld, type QuarterWorld } from "./quarter-world.ts";
import { collectIntervals, collectReceived } from "./received.ts";

const MINUTE_MS = 60_000;
/** Feeds that become due within this time are checked together. */
const STEP_MS = 10 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Seldom, to save time: what people change is compiled at once. */
const SWEEP_MS = 3 * HOUR_MS;
const HOUSEKEEPING_MS = 6 * HOUR_MS;
const TEN_MINUTES_S = 600;
const HOUR_S = 3_600;
/** With unlimited requests the operator checks every ten minutes, in a long quarter on some days only: that takes less time. */
const QUICK_DAYS = { from: 30, until: 38 };
const LONG_DAYS = 30;

/** The caller closes the world. */
export async function runQuarter(quarter: Quarter): Promise<QuarterWorld> {
  const world = await createQuarterWorld(quarter);
  const sender = await world.delivery.startSender();
  const run: Run = {
    quarter,
    world,
    sender,
    tasks: undefined,
    intervalSeconds: 0,
    sweptAt: 0,
    keptAt: world.now(),
  };
  const ends = quarter.beginsAt + minutesOf(quarter) * MINUTE_MS;
  const acts = timesOf(quarter);
  while (world.now() < ends) {
    let isChanged = false;
    while (acts[0] && acts[0].at <= world.now()) {
      isChanged ||= "person" in acts[0].act;
      await perform(run, acts[0].act);
      acts.shift();
    }
    if (world.now() >= world.troubles.sourceUntil) world.portal.faults.clear();
    const isStopped = world.now() < world.troubles.stoppedUntil;
    if (isStopped) run.tasks = undefined;
    else await work(run, isChanged);
    const due = isStopped ? world.troubles.stoppedUntil : await nextDue(world);
    await world.advanceTo(Math.max(Math.min(acts[0]?.at ?? ends, due, ends), world.now() + 1_000));
  }
  await collect(world);
  return world;
}

interface Run {
  readonly quarter: Quarter;
  readonly world: QuarterWorld;
  readonly sender: Dispatcher;
  /** Undefined while we are stopped. */
  tasks: WatchTasks | undefined;
  intervalSeconds: number;
  sweptAt: number;
  keptAt: number;
}

/** While the product runs, nobody's interval may get longer by what others ask for. */
async function perform({ world, tasks }: Run, act: TimedAct): Promise<void> {
  const performIt = () => performAct(world, act);
  if (!tasks || !isDemand(act)) return await performIt();
  const { sql, people, now } = world;
  const settle = async () => {
    // The second time with what first checks have shown.
    await runDue(tasks);
    await runDue(tasks);
  };
  world.lengthened.push(...(await comparePromises(act, { sql, people, now, settle, perform: performIt })));
}

/** What the product does at one moment. People's changes are compiled at once, as after a notification. */
async function work(run: Run, isChanged: boolean): Promise<void> {
  const { world, quarter } = run;
  const intervalSeconds = intervalAt(quarter, world.now());
  const isNew = !run.tasks || intervalSeconds !== run.intervalSeconds;
  const tasks = isNew || !run.tasks ? await world.startWatcher(intervalSeconds) : run.tasks;
  Object.assign(run, { tasks, intervalSeconds });
  if (isNew || isChanged || world.now() - run.sweptAt >= SWEEP_MS) {
    run.sweptAt = world.now();
    await runDue(tasks);
  } else await checkDue(tasks);
  if (await isSomethingToSend(world)) await world.delivery.run(run.sender, MINUTE_MS);
  if (world.now() - run.keptAt < HOUSEKEEPING_MS) return;
  run.keptAt = world.now();
  await collect(world);
  await tasks.housekeep();
}

/** Between sweeps. */
async function checkDue(tasks: WatchTasks): Promise<void> {
  for (const key of await tasks.findDue(1_000)) await tasks.check(key, new AbortController().signal);
}

async function collect({ sql, delivery, people, seen, now }: QuarterWorld): Promise<void> {
  await collectReceived(sql, delivery.telegram, people.values(), seen);
  await collectIntervals(sql, people.values(), now());
}

function intervalAt(quarter: Quarter, moment: number): number {
  const day = (moment - quarter.beginsAt) / DAY_MS;
  const isLong = minutesOf(quarter) > LONG_DAYS * 1440;
  const isQuick =
    quarter.monthlyRequests !== null || !isLong || (day >= QUICK_DAYS.from && day < QUICK_DAYS.until);
  return isQuick ? TEN_MINUTES_S : HOUR_S;
}

function timesOf({ acts, beginsAt }: Quarter) {
  let minute = 0;
  return acts.map((act) => {
    minute += act.after;
    return { act, at: beginsAt + minute * MINUTE_MS };
  });
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
