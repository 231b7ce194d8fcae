// From a notification to the channels it is for. A change is told to the owner of its row alone, and only if row-level
// security, asked once for each distinct token of that person, lets them read the row as it now stands. A deleted row
// cannot be read: its owner is told its key. Every channel hears of its changes in the order they were committed.
import type { Sql } from "postgres";
import { isRecord, parseJson } from "./frame.ts";
import type { Binding } from "./join-request.ts";
import { type Channel, failureFields, type RealtimeContext } from "./realtime-context.ts";
import { tableKeyOf } from "./realtime-schema.ts";

/** What the trigger tells. */
type Change = {
  owner: string;
  /** As text, in which a bigint is not rounded. */
  key: string | null;
  isKeyTooLong: boolean;
  /** Supabase's message, but for the row itself. */
  data: { schema: string; table: string; type: string };
};

const batchSize = 100;

export function createDelivery(context: RealtimeContext, sql: Sql) {
  const { channels, limits, logger } = context;
  let waiting: Change[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) await deliverBatch(context, sql, waiting.splice(0, batchSize));
    running = undefined;
  }

  /** Changes are or may be missing: every subscriber is made to join again and reload. */
  function abandon(): void {
    waiting = [];
    for (const channel of channels) channel.fail();
  }

  return {
    receive(notification: string): void {
      const change = parseJson(notification);
      // Of a row that nobody owns, nobody is told.
      if (!isRecord(change) || typeof change.owner !== "string" || channels.size === 0) return;
      if (waiting.length >= limits.pendingChanges) {
        logger.warn({ pending: waiting.length }, "realtime cannot keep up; subscribers must reload");
        abandon();
        return;
      }
      waiting.push(change as Change);
      running ??= run();
    },
    abandon,
    idle: async () => running,
  };
}

async function deliverBatch(context: RealtimeContext, sql: Sql, batch: Change[]): Promise<void> {
  const byOwner = Map.groupBy(batch, ({ owner }) => owner);
  const ofOwners = [...context.channels].filter(({ identity }) => byOwner.has(identity.userId ?? ""));
  const byClaims = Map.groupBy(ofOwners, ({ identity }) => identity.claimsJson);
  const deliveries = [...byClaims].map(async ([claimsJson, channels]) => {
    const changes = byOwner.get(channels[0]?.identity.userId ?? "") ?? [];
    const wanted = changes.filter((change) => channels.some((channel) => idsFor(channel, change).length > 0));
    try {
      const messages = await messagesFor(wanted, claimsJson, { ...context, sql });
      for (const change of wanted) {
        for (const channel of channels) tell(context, channel, { change, data: messages.get(change) });
      }
    } catch (error) {
      context.logger.error(failureFields(error), "realtime could not check who may see a change");
      for (const channel of channels) channel.fail();
    }
  });
  await Promise.all(deliveries);
}

type Reading = Pick<RealtimeContext, "tables"> & { sql: Sql };

/** Of those changes that the bearer of these claims may see. */
async function messagesFor(changes: Change[], claimsJson: string, { sql, tables }: Reading) {
  const messages = new Map<Change, object>();
  for (const [tableKey, ofTable] of Map.groupBy(changes, ({ data }) => tableKeyOf(data))) {
    const { columns, readRows } = tables.get(tableKey) ?? {};
    if (!readRows) continue;
    const keysJson = `[${ofTable.map(({ key }) => key ?? "{}").join(",")}]`;
    const [read] = await sql<{ answer: Record<string, object> | null }[]>`
      select realtime.read_as(${claimsJson}::text::jsonb, ${readRows}, ${keysJson}::text::jsonb) as answer`;
    for (const [index, change] of ofTable.entries()) {
      const record = read?.answer?.[index + 1];
      if (record) messages.set(change, { ...change.data, columns, record });
      else if (change.data.type === "DELETE") messages.set(change, { ...change.data, columns });
    }
  }
  return messages;
}

function tell(
  { channels, now }: RealtimeContext,
  channel: Channel,
  { change, data }: { change: Change; data: object | undefined },
): void {
  // While the rows were being read, the channel may have ended, or been handed another person's token.
  const { userId, expiresAtMs } = channel.identity;
  if (!channels.has(channel) || userId !== change.owner || expiresAtMs <= now()) return;
  const ids = idsFor(channel, change);
  if (ids.length > 0 && change.isKeyTooLong) channel.fail();
  else if (ids.length > 0 && data) channel.push("postgres_changes", { ids, data });
}

function idsFor({ bindings }: Channel, { owner, data }: Change): number[] {
  const tableKey = tableKeyOf(data);
  const isFor = (binding: Binding) =>
    binding.tableKey === tableKey &&
    (binding.event === "*" || binding.event === data.type) &&
    (binding.owner === undefined || binding.owner === owner);
  return [...new Set(bindings.filter(isFor).map(({ id }) => id))];
}
