import { z } from "zod";
import { badRequest, Refusal } from "../refusal.ts";
import type { Update } from "../update-queue.ts";
import type { World } from "../world.ts";
import { integer, json, type Method, noParameters, readParameters, text } from "./method.ts";

const MAX_TIMEOUT_SECONDS = 50;
/** The delay for pollers that keep ending each other. */
const CONFLICT_DELAY_MS = 3000;
/** A repeated request within this time gets one update, so that a client can skip a bad one. */
const REPEAT_MS = 500;
const PORTS = ["", "443", "80", "88", "8443"];
const RECEIVING = z.strictObject({ allowed_updates: json(z.array(z.string())) });
const POLL = RECEIVING.extend({ offset: integer, limit: integer, timeout: integer });
const WEBHOOK = RECEIVING.extend({ url: text, secret_token: text });

/** Long polling: the newest request is served, and a waiting one is ended with 409. */
export const getUpdates: Method = (call) => {
  const { world, signal } = call;
  const { offset = 0, limit: asked = 100, timeout = 0, allowed_updates } = readParameters(call, POLL);
  if (world.webhook.url !== undefined) {
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  if (allowed_updates !== undefined) world.updates.allowed = allowed_updates;
  world.polling.abort?.(
    conflict("terminated by other getUpdates request; make sure that only one bot instance is running"),
  );
  const limit = isRepeated(world, offset) ? 1 : Math.min(asked > 0 ? asked : 100, 100);
  const ready = world.updates.take(offset, limit);
  if (ready.length > 0 || timeout <= 0) return finish(world, offset, ready);
  const timeoutMs = Math.min(timeout, MAX_TIMEOUT_SECONDS) * 1000;
  return waitForUpdates(world, { offset, limit, timeoutMs, signal });
};

interface Wait {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function waitForUpdates(
  world: World,
  { offset, limit, timeoutMs, signal }: Wait,
): Promise<readonly Update[]> {
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
    const abort = (refusal: Refusal) => {
      stop();
      const isAgain = world.clock.now() - world.polling.lastConflictAt < CONFLICT_DELAY_MS;
      world.polling.lastConflictAt = world.clock.now();
      const refuse = () => reject(refusal);
      if (isAgain) world.clock.after(CONFLICT_DELAY_MS, refuse);
      else refuse();
    };
    const stopListening = world.updates.onPush(answer);
    const stopTimer = world.clock.after(timeoutMs, answer);
    signal.addEventListener("abort", answer);
    world.polling.abort = abort;
  });
}

const conflict = (description: string) => new Refusal(409, `Conflict: ${description}`);

function isRepeated(world: World, offset: number): boolean {
  const { lastOffset, lastFinishedAt } = world.polling;
  return offset > 0 && lastOffset === offset && world.clock.now() - lastFinishedAt < REPEAT_MS;
}

function finish(world: World, offset: number, updates: readonly Update[]): readonly Update[] {
  world.polling.lastOffset = updates.length > 0 ? offset : undefined;
  world.polling.lastFinishedAt = world.clock.now();
  return updates;
}

export const setWebhook: Method = (call) => {
  const { world } = call;
  const { url = "", secret_token: secret = "", allowed_updates } = readParameters(call, WEBHOOK);
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
  checkUrl(url, world.isWebhookLocal);
  if (allowed_updates !== undefined) world.updates.allowed = allowed_updates;
  world.polling.abort?.(conflict("terminated by setWebhook request"));
  world.webhook.set({ url, secret, maxConnections: 40 });
  return true;
};

export const deleteWebhook: Method = (call) => {
  readParameters(call, noParameters);
  call.world.webhook.remove();
  return true;
};

function checkUrl(address: string, isLocal: boolean): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw badRequest("bad webhook: Wrong URL");
  if (isLocal) return;
  if (url.protocol !== "https:") {
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  }
  if (!PORTS.includes(url.port)) {
    throw badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
  }
}
