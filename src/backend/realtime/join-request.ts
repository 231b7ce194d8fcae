import { crc32 } from "node:zlib";
import { type FilterCondition, parseFilter } from "./filter.ts";
import { isRecord } from "./frame.ts";

export type ChangeType = "INSERT" | "UPDATE" | "DELETE";

export type Binding = {
  id: number;
  event: ChangeType | "*";
  /** `*` stands for every schema or table of the publication. */
  schema: string;
  table: string;
  conditions: FilterCondition[];
};

export type JoinRequest = {
  accessToken: unknown;
  isPrivate: boolean;
  /** The client would rather be refused than joined without its subscription. */
  waitsForSubscription: boolean;
  /** What the client asked for, each with its id: the reply must repeat it word for word. */
  echoedBindings: Record<string, unknown>[];
  bindings: { ok: true; list: Binding[] } | { ok: false; reason: string };
};

const mostBindings = 50;

export function parseJoinRequest(payload: unknown): JoinRequest {
  const body = isRecord(payload) ? payload : {};
  const config = isRecord(body.config) ? body.config : {};
  const asked = Array.isArray(config.postgres_changes) ? config.postgres_changes.filter(isRecord) : [];
  const options = isRecord(config.postgres_changes_options) ? config.postgres_changes_options : {};
  return {
    accessToken: body.user_token ?? body.access_token,
    isPrivate: config.private === true,
    waitsForSubscription: options.wait === true,
    echoedBindings: asked.map((params) => ({ ...params, id: bindingIdOf(params) })),
    bindings: parseBindings(asked),
  };
}

function parseBindings(asked: Record<string, unknown>[]): JoinRequest["bindings"] {
  if (asked.length > mostBindings) return { ok: false, reason: `more than ${mostBindings} postgres_changes` };
  const list: Binding[] = [];
  for (const params of asked) {
    const parsed = parseBinding(params);
    if (!parsed.ok) return parsed;
    list.push(parsed.binding);
  }
  return { ok: true, list };
}

function parseBinding(
  params: Record<string, unknown>,
): { ok: true; binding: Binding } | { ok: false; reason: string } {
  const { event = "*", schema = "public", table, filter } = params;
  const type = typeof event === "string" ? event.toUpperCase() : "";
  if (!isEvent(type)) return { ok: false, reason: "event must be INSERT, UPDATE, DELETE or *" };
  const tableName = table ?? "*";
  if (typeof schema !== "string" || typeof tableName !== "string") {
    return { ok: false, reason: "schema and table must be names" };
  }
  const parsed = parseFilter(typeof filter === "string" ? filter : "");
  if (!parsed.ok) return { ok: false, reason: `filter: ${parsed.reason}` };
  if (parsed.conditions.length > 0 && (tableName === "*" || schema === "*")) {
    return { ok: false, reason: "a filter needs a table" };
  }
  const binding = {
    id: bindingIdOf(params),
    event: type,
    schema,
    table: tableName,
    conditions: parsed.conditions,
  };
  return { ok: true, binding };
}

/** Equal parameters get equal ids, over rejoins too; realtime-js takes 0 for no id. */
function bindingIdOf(params: Record<string, unknown>): number {
  return crc32(JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))) || 1;
}

function isEvent(name: string): name is Binding["event"] {
  return name === "INSERT" || name === "UPDATE" || name === "DELETE" || name === "*";
}
