import { crc32 } from "node:zlib";
import { isRecord } from "./frame.ts";
import { tableKeyOf, type WatchedTables } from "./realtime-schema.ts";

export type Binding = {
  id: number;
  event: string;
  tableKey: string;
  /** Set if only this user's rows are wanted. */
  owner: string | undefined;
};

const mostBindings = 50;

/** Or the reason for a refusal. `echoed` is the client's request with ids: the client compares it with what it sent. */
type ParsedJoin = { bindings: Binding[]; echoed: object[] } | string;

export function parseJoin(payload: unknown, tables: WatchedTables): ParsedJoin {
  const config = isRecord(payload) && isRecord(payload.config) ? payload.config : {};
  if (config.private === true) return "private channels are not supported by this server";
  if (isRecord(config.presence) && config.presence.enabled === true) return `presence is ${ONLY_CHANGES}`;
  const asked = Array.isArray(config.postgres_changes) ? config.postgres_changes.filter(isRecord) : [];
  if (asked.length > mostBindings) return `more than ${mostBindings} postgres_changes`;
  if (asked.length === 0) return `a channel without postgres_changes is ${ONLY_CHANGES}`;
  const bindings: Binding[] = [];
  for (const params of asked) {
    const parsed = parseBinding(params, tables);
    if (typeof parsed === "string") return parsed;
    bindings.push(parsed);
  }
  return { bindings, echoed: asked.map((params) => ({ ...params, id: idOf(params) })) };
}

const ONLY_CHANGES = "not supported by this server, which offers only postgres_changes";

const unable = "Unable to subscribe to changes with given parameters";
const events = ["INSERT", "UPDATE", "DELETE", "*"];
const ownerFilter = /^(.+)=eq\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

function parseBinding(params: Record<string, unknown>, tables: WatchedTables): Binding | string {
  // A deeply nested value could not be echoed, and one with its own toString could not be compared.
  if (Object.values(params).some((value) => typeof value === "object" && value !== null))
    return `${unable}: they must be plain values`;
  const { schema = "public", table, filter = "" } = params;
  const event = String(params.event ?? "*").toUpperCase();
  const tableKey = tableKeyOf({ schema, table });
  const watched = tables.get(tableKey);
  if (!watched) {
    const asked = `[schema: ${schema}, table: ${table}]`;
    return `${unable}. Please check Realtime is enabled for ${asked}`;
  }
  if (!events.includes(event)) return `event must be one of ${events.join(", ")}`;
  const [, column, owner] = ownerFilter.exec(String(filter)) ?? [];
  if (filter !== "" && column !== watched.ownerColumn) {
    return `the only filter supported by this server is ${watched.ownerColumn}=eq.<user id>`;
  }
  return { id: idOf(params), event, tableKey, owner: owner?.toLowerCase() };
}

/** Equal parameters get equal ids, in later joins too. realtime-js treats 0 as a missing id. */
function idOf(params: object): number {
  return crc32(JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))) || 1;
}
