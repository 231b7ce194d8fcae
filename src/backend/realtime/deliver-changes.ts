// Delivers a change to the channels of the row's owner, and to no others, if row-level security lets the owner's token
// read the row as it is now. A deleted row cannot be read: its owner gets its key. Each channel receives its changes in the
// order they were committed. Owners are served independently, so one user's changes do not delay another's.
import { type PersonClaims, runAsPerson } from "../person-transaction.ts";
import { isRecord, parseFrameJson } from "./frame.ts";
import type { Binding } from "./join-request.ts";
import type { OpenChannel } from "./open-channels.ts";
import type { RealtimeContext } from "./realtime-context.ts";
import { tableKeyOf } from "./realtime-schema.ts";

type Change = {
  owner: string;
  /** As text, because parsing would round a bigint. Missing if it is too long for a notification. */
  key?: string;
  /** The key before an update that changed it. */
  old_key?: string;
  /** Supabase's message without the row. */
  data: { schema: string; table: string; type: string };
};

/** The triggers' notification. */
type Notification = Pick<Change, "data"> & {
  rows: (Pick<Change, "key" | "old_key"> & { owner: string | null })[];
};

/** A hundred channels of one user take about 50 ms for so many changes; other work runs in between. */
const batchSize = 25;

export function createChangeDelivery(context: RealtimeContext) {
  const { channels, limits, logger } = context;
  const queues = new Map<string, { changes: Change[]; isEmpty: Promise<void> }>();

  async function deliverAll(owner: string, changes: Change[]): Promise<void> {
    while (changes.length > 0) await deliverBatch(context, owner, changes.splice(0, batchSize));
    queues.delete(owner);
  }

  function enqueue(change: Change): void {
    const { owner } = change;
    const ofOwner = channels.ofUser(owner);
    if (ofOwner.size === 0) return;
    const queue = queues.get(owner);
    if (queue === undefined) {
      const changes = [change];
      queues.set(owner, { changes, isEmpty: deliverAll(owner, changes) });
    } else if (queue.changes.length < limits.pendingChanges) queue.changes.push(change);
    else {
      logger.warn(
        { pending: queue.changes.length },
        "too many realtime changes of one user; they must reload",
      );
      queue.changes.length = 0;
      for (const channel of ofOwner) channel.fail();
    }
  }

  return {
    receive(text: string): void {
      const notification = parseFrameJson(text);
      if (!isRecord(notification) || !Array.isArray(notification.rows)) return;
      const { rows, data } = notification as Notification;
      for (const { owner, ...key } of rows) if (owner !== null) enqueue({ owner, ...key, data });
    },
    /** Changes may be missing: every subscriber joins again and reloads. */
    abandon(): void {
      for (const { changes } of queues.values()) changes.length = 0;
      for (const channel of channels) channel.fail();
    },
    idle: async () => void (await Promise.all([...queues.values()].map(({ isEmpty }) => isEmpty))),
  };
}

/** One token after another: a user takes one connection at a time, whatever the number of their sessions. */
async function deliverBatch(context: RealtimeContext, owner: string, batch: Change[]): Promise<void> {
  const byToken = Map.groupBy(context.channels.ofUser(owner), ({ identity }) => identity.token);
  for (const channels of byToken.values()) {
    const wanted = batch.filter((change) =>
      channels.some((channel) => idsFor(context, channel, change).length > 0),
    );
    if (wanted.length === 0) continue;
    try {
      const rows = await readRows(context, channels[0]?.identity.claims, wanted);
      for (const change of wanted) {
        for (const channel of channels) send(context, channel, { change, row: rows.get(change) });
      }
    } catch (error) {
      context.logger.error({ failure: String(error) }, "realtime could not read the rows of a change");
      for (const channel of channels) channel.fail();
    }
  }
}

/** For each change that these claims may see, the part of the message that describes the row. */
function readRows({ peopleSql, tables }: RealtimeContext, claims: PersonClaims, changes: Change[]) {
  return runAsPerson(peopleSql, { claims, isReadOnly: true }, async (ask) => {
    const rows = new Map<Change, object>();
    for (const [tableKey, ofTable] of Map.groupBy(changes, ({ data }) => tableKeyOf(data))) {
      const { columns, readRows: text = "" } = tables.get(tableKey) ?? {};
      const keys = ofTable.map(({ key = "{}", data }) => (data.type === "DELETE" ? "{}" : key));
      const [read] = await ask({ text, values: [`[${keys}]`], isPrepared: true });
      const records = new Map(Object.entries(read?.records ?? {}));
      for (const [index, change] of ofTable.entries()) {
        const row = rowOf(change, records.get(String(index + 1)));
        if (row) rows.set(change, { columns, ...row });
      }
    }
    return rows;
  });
}

/** With row-level security the old row is its primary key alone, as on hosted Supabase. */
function rowOf({ data, key = "{}", old_key = key }: Change, record: unknown): object | undefined {
  if (data.type === "DELETE") return { old_record: JSON.parse(key) };
  if (record) return data.type === "UPDATE" ? { record, old_record: JSON.parse(old_key) } : { record };
  return undefined;
}

function idsFor({ tables }: RealtimeContext, { bindings }: OpenChannel, { owner, data }: Change): number[] {
  const tableKey = tableKeyOf(data);
  const hasOwner = data.type !== "DELETE" || tables.get(tableKey)?.isOwnerInOldRow;
  const isFor = (binding: Binding) =>
    binding.tableKey === tableKey &&
    (binding.event === "*" || binding.event === data.type) &&
    (binding.owner === undefined || (hasOwner && binding.owner === owner));
  return bindings.filter(isFor).map(({ id }) => id);
}

function send(
  context: RealtimeContext,
  channel: OpenChannel,
  { change, row }: { change: Change; row: object | undefined },
): void {
  const { channels, rates, now } = context;
  const ids = idsFor(context, channel, change);
  const { userId, expiresAtMs } = channel.identity;
  // While the rows were being read, the channel may have ended or received another user's token.
  const isOpen = channels.has(channel) && userId === change.owner && expiresAtMs > now();
  if (!isOpen || ids.length === 0) return;
  if (change.key === undefined) channel.fail();
  else if (row && rates.messagesOfUser.take(userId, now()))
    channel.push("postgres_changes", { ids, data: { ...change.data, ...row } });
  else if (row) channel.fail();
}
