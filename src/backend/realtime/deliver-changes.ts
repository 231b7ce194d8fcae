// From a notification to the people it is for: changes wait in one line, a batch at a time is checked once for
// each distinct identity, and every channel hears of its changes in the order they were committed.
import type { Sql } from "postgres";
import { type Change, jsonRecordOf, parseChange, tableKeyOf } from "./change.ts";
import { changeMessage } from "./change-message.ts";
import type { Identity } from "./identity.ts";
import type { Binding, ChangeType } from "./join-request.ts";
import type { RealtimeLimits } from "./limits.ts";
import { failureFields, type Logger } from "./logger.ts";
import type { Channel, Subscription, Subscriptions } from "./subscriptions.ts";
import { findVisibleChanges, type VisibleChange } from "./visible-changes.ts";

type DeliveryOptions = {
  sql: Sql;
  subscriptions: Subscriptions;
  limits: RealtimeLimits;
  logger: Logger;
  now: () => number;
};

/** A change that one subscription may have to hear of. */
type Candidate = { change: Change; order: number; subscription: Subscription };

const batchSize = 100;

export function createDelivery(options: DeliveryOptions) {
  const { subscriptions, limits, logger } = options;
  let waiting: Change[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      await deliverBatch(options, batch);
    }
    running = undefined;
  }

  /** Changes are or may be missing: every subscriber is made to join again and reload. */
  function abandon(): void {
    waiting = [];
    for (const channel of subscriptions.channels()) channel.fail();
  }

  return {
    receive(notification: string): void {
      const change = parseChange(notification);
      if (!change || !subscriptions.hasTable(tableKeyOf(change))) return;
      if (waiting.length >= limits.pendingChanges) {
        logger.warn({ pending: waiting.length }, "realtime cannot keep up; subscribers must reload");
        abandon();
        return;
      }
      waiting.push(change);
      running ??= run();
    },
    abandon,
    idle: async () => running,
  };
}

export type Delivery = ReturnType<typeof createDelivery>;

async function deliverBatch(options: DeliveryOptions, batch: readonly Change[]): Promise<void> {
  const { subscriptions } = options;
  let candidates: Candidate[] = [];
  for (const [order, change] of batch.entries()) {
    const told = jsonRecordOf(change.rowJson ?? "");
    for (const subscription of subscriptions.ofTable(tableKeyOf(change))) {
      if (change.rowJson === undefined) subscription.channel.fail();
      else if (mayConcern(subscription.binding, change.type, told)) {
        candidates.push({ change, order, subscription });
      }
    }
  }
  // A token may be replaced while its rows are being checked: those are checked again for the new one.
  while (candidates.length > 0) {
    const live = candidates.filter(({ subscription }) => isListening(subscription.channel, options.now()));
    const byIdentity = Map.groupBy(live, ({ subscription }) => subscription.channel.identity.key);
    const left = await Promise.all([...byIdentity.values()].map((group) => deliverTo(options, group)));
    candidates = left.flat();
  }
}

/** Takes candidates of one identity, and answers those whose channel has meanwhile changed it. */
async function deliverTo(options: DeliveryOptions, candidates: Candidate[]): Promise<Candidate[]> {
  const identity = candidates[0]?.subscription.channel.identity;
  if (!identity) return [];
  const byTable = Map.groupBy(candidates, ({ subscription }) => subscription.tableKey);
  const seen: Sighting[] = [];
  for (const ofTable of byTable.values()) {
    try {
      seen.push(...(await findSightings(options.sql, identity, ofTable)));
    } catch (error) {
      options.logger.error(failureFields(error), "realtime could not check who may see a change");
      if (isPermissionDenied(error)) continue;
      for (const { subscription } of ofTable) subscription.channel.fail();
    }
  }
  tell(options, identity, seen);
  return candidates.filter(({ subscription }) => subscription.channel.identity.key !== identity.key);
}

type Sighting = { candidate: Candidate; visible: VisibleChange };

async function findSightings(sql: Sql, identity: Identity, ofTable: Candidate[]): Promise<Sighting[]> {
  const changes = [...new Set(ofTable.map(({ change }) => change))];
  const filters = [...new Set(ofTable.map(({ subscription }) => subscription.binding.conditions))];
  const visible = await findVisibleChanges(sql, identity, { changes, filters });
  return ofTable.flatMap((candidate) => {
    const found = visible.get(changes.indexOf(candidate.change));
    const isMatch = found?.matches[filters.indexOf(candidate.subscription.binding.conditions)];
    return found && isMatch ? [{ candidate, visible: found }] : [];
  });
}

function tell({ limits, now }: DeliveryOptions, identity: Identity, seen: Sighting[]): void {
  const inOrder = seen.toSorted((a, b) => a.candidate.order - b.candidate.order);
  for (const sameChange of Map.groupBy(inOrder, ({ candidate }) => candidate.change).values()) {
    const byChannel = Map.groupBy(sameChange, ({ candidate }) => candidate.subscription.channel);
    for (const [channel, [first, ...others]] of byChannel) {
      if (!first || !isListening(channel, now()) || channel.identity.key !== identity.key) continue;
      const ids = [first, ...others].map(({ candidate }) => candidate.subscription.binding.id);
      const message = changeMessage(first.candidate.change, first.visible, limits.recordBytes);
      channel.push("postgres_changes", { ids: [...new Set(ids)], data: message });
    }
  }
}

function isListening(channel: Channel, nowMs: number): boolean {
  return channel.isOpen && channel.identity.expiresAtMs > nowMs;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Rules out in passing what PostgreSQL would rule out anyway. Most subscriptions are filtered by their owner's id,
 * and asking the database for each of them would cost a transaction a person for every change.
 */
export function mayConcern(binding: Binding, type: ChangeType, told: Record<string, unknown>): boolean {
  if (binding.event !== "*" && binding.event !== type) return false;
  return binding.conditions.every(({ column, operator, isNegated, values: [wanted = ""] }) => {
    const actual = told[column];
    if (operator !== "eq" || isNegated || typeof actual !== "string") return true;
    if (!uuid.test(actual) || !uuid.test(wanted)) return true;
    return actual.toLowerCase() === wanted.toLowerCase();
  });
}

function isPermissionDenied(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42501";
}
