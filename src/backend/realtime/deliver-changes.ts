// From a notification to the channels it is for. A change is told to the owner of its row alone, and only if row-level
// security, asked once for each distinct token of that person, lets them read the row as it now stands. A deleted row
// cannot be read: its owner is told its key. Every channel hears of its changes in the order they were committed.
import { isRecord, parseJson } from "./frame.ts";
import type { Binding } from "./join-request.ts";
import type { Channel } from "./open-channels.ts";
import type { RealtimeContext } from "./realtime-context.ts";
import { tableKeyOf } from "./realtime-schema.ts";

/** What the trigger tells. */
type Change = {
  owner: string;
  /** As text, in which a bigint is not rounded. Not told if it is too long. */
  key?: string;
  /** Supabase's message, but for the row itself. */
  data: { schema: string; table: string; type: string };
};

const batchSize = 100;

export function createDelivery(context: RealtimeContext) {
  const { channels, limits, logger } = context;
  let waiting: Change[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) await deliverBatch(context, waiting.splice(0, batchSize));
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
      // Of a row that nobody owns, or whose owner is not there, nobody is told.
      if (!isRecord(change) || typeof change.owner !== "string") return;
      if (channels.ofUser(change.owner).size === 0) return;
      if (waiting.length >= limits.pendingChanges) {
        logger.warn({ pending: waiting.length }, "realtime cannot keep up; subscribers must reload");
        abandon();
      } else waiting.push(change as Change);
      running ??= run();
    },
    abandon,
    idle: async () => running,
  };
}

async function deliverBatch(context: RealtimeContext, batch: Change[]): Promise<void> {
  const byOwner = Map.groupBy(batch, ({ owner }) => owner);
  const ofOwners = [...byOwner.keys()].flatMap((owner) => [...context.channels.ofUser(owner)]);
  const byClaims = Map.groupBy(ofOwners, ({ identity }) => identity.claimsJson);
  const deliveries = [...byClaims].map(async ([claimsJson, channels]) => {
    const changes = byOwner.get(channels[0]?.identity.userId ?? "") ?? [];
    const wanted = changes.filter((change) => channels.some((channel) => idsFor(channel, change).length > 0));
    try {
      const rows = await readRows(context, claimsJson, wanted);
      for (const change of wanted) {
        for (const channel of channels) tell(context, channel, change, rows.get(change));
      }
    } catch (error) {
      context.logger.error({ failure: String(error) }, "realtime could not check who may see a change");
      for (const channel of channels) channel.fail();
    }
  });
  await Promise.all(deliveries);
}

/** For each change of which the bearer of these claims may be told, what the message says of the row. */
async function readRows({ sql, tables }: RealtimeContext, claimsJson: string, changes: Change[]) {
  const rows = new Map<Change, object>();
  for (const [tableKey, ofTable] of Map.groupBy(changes, ({ data }) => tableKeyOf(data))) {
    const { columns, readRows = "" } = tables.get(tableKey) ?? {};
    const keys = ofTable.map(({ key = "{}", data }) => (data.type === "DELETE" ? "{}" : key));
    const [read] = await sql<{ records: Record<string, object> | null }[]>`
      select realtime.read_as(${claimsJson}::text::jsonb, ${readRows}, ${`[${keys}]`}::text::jsonb) as records`;
    for (const [index, change] of ofTable.entries()) {
      const record = read?.records?.[index + 1];
      if (record) rows.set(change, { columns, record });
      else if (change.data.type === "DELETE")
        rows.set(change, { columns, old_record: JSON.parse(change.key ?? "{}") });
    }
  }
  return rows;
}

function idsFor({ bindings }: Channel, { owner, data }: Change): number[] {
  const tableKey = tableKeyOf(data);
  const isFor = (binding: Binding) =>
    binding.tableKey === tableKey &&
    (binding.event === "*" || binding.event === data.type) &&
    (binding.owner === undefined || binding.owner === owner);
  return bindings.filter(isFor).map(({ id }) => id);
}

function tell(context: RealtimeContext, channel: Channel, change: Change, row: object | undefined): void {
  const ids = idsFor(channel, change);
  const { userId, expiresAtMs } = channel.identity;
  // While the rows were being read, the channel may have ended, or been handed another person's token.
  const isOpen = context.channels.has(channel) && userId === change.owner && expiresAtMs > context.now();
  if (!isOpen || ids.length === 0) return;
  if (change.key === undefined) channel.fail();
  else if (row) channel.push("postgres_changes", { ids, data: { ...change.data, ...row } });
}
