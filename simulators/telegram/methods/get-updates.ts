import { readInteger, readJson } from "../read-parameters.ts";
import { Refusal } from "../refusal.ts";
import { readAllowedUpdates, type Update } from "../update-queue.ts";
import type { World } from "../world.ts";
import type { Method, Outcome } from "./method.ts";

const MAX_TIMEOUT_SECONDS = 50;
/** Who keeps fighting another poller is answered only after this. */
const CONFLICT_DELAY_MS = 3000;
/** Asking for the same again so soon gets one update, so that a poison one cannot hold up a hundred. */
const REPEAT_MS = 500;

/** Long polling: the newest request is served, the one that was waiting is ended with 409. */
export const getUpdates: Method = ({ world, parameters, signal }) => {
  if (world.webhook.url !== undefined) {
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  const offset = readInteger(parameters, "offset") ?? 0;
  const timeout = Math.min(Math.max(readInteger(parameters, "timeout") ?? 0, 0), MAX_TIMEOUT_SECONDS);
  const asked = readInteger(parameters, "limit") ?? 100;
  const allowed = readJson(parameters, "allowed_updates");
  if (allowed !== undefined) world.updates.allowed = readAllowedUpdates(allowed);
  world.polling.abort?.(
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  );
  const limit = isRepeated(world, offset) ? 1 : Math.min(asked > 0 ? asked : 100, 100);
  const ready = world.updates.take(offset, limit);
  if (ready.length > 0 || timeout === 0) return finish(world, offset, ready);
  return waitForUpdates(world, { offset, limit, timeoutMs: timeout * 1000, signal });
};

interface Wait {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function waitForUpdates(world: World, { offset, limit, timeoutMs, signal }: Wait): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      stopListening();
      stopTimer();
      signal.removeEventListener("abort", answer);
      if (world.polling.abort === abort) world.polling.abort = undefined;
    };
    const answer = () => {
      stop();
      resolve(finish(world, offset, signal.aborted ? [] : world.updates.take(offset, limit)));
    };
    const abort = (description: string) => {
      stop();
      const isAgain = world.clock.now() - world.polling.lastConflictAt < CONFLICT_DELAY_MS;
      world.polling.lastConflictAt = world.clock.now();
      const conflict = () => reject(new Refusal(409, description));
      if (isAgain) world.clock.after(CONFLICT_DELAY_MS, conflict);
      else conflict();
    };
    const stopListening = world.updates.onPush(answer);
    const stopTimer = world.clock.after(timeoutMs, answer);
    signal.addEventListener("abort", answer);
    world.polling.abort = abort;
  });
}

function isRepeated(world: World, offset: number): boolean {
  const { lastOffset, lastFinishedAt } = world.polling;
  return offset > 0 && lastOffset === offset && world.clock.now() - lastFinishedAt < REPEAT_MS;
}

function finish(world: World, offset: number, updates: readonly Update[]): Outcome {
  world.polling.lastOffset = updates.length > 0 ? offset : undefined;
  world.polling.lastFinishedAt = world.clock.now();
  return { result: updates };
}
