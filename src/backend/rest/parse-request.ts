// Parses a request once, into a query or a refusal. Later steps see neither the URL nor the headers nor the bytes.

import { readQueryString } from "../query-string.ts";
import { MAX_BODY_BYTES } from "../read-body.ts";
import type { CallerRole, Catalogue, Relation, Routine, Verb } from "./catalogue.ts";
import { bodyRows, columnsOf, parseBody, requireJsonType, requireObject } from "./parse-body.ts";
import { parseColumns, parseOrder, parseSelect } from "./parse-fields.ts";
import { createFilterReader, NO_REGULAR_EXPRESSIONS } from "./parse-filter.ts";
import { parseAccept, parsePrefer, parseRange, requirePublicProfile } from "./parse-headers.ts";
import type {
  Call,
  Delete,
  Insert,
  Preferences,
  Query,
  QueryCondition,
  Read,
  Returned,
  Update,
} from "./query.ts";
import { badBody, badQuery, permissionDenied, type RequestRefused, refused } from "./rest-error.ts";
import { MAX_QUERY_CHARACTERS } from "./rest-limits.ts";

export type Target = { isRoutine: boolean; name: string };

export type RestRequest = {
  method: string;
  target: Target;
  search: string;
  headers: Headers;
  body: Uint8Array | undefined;
};

const PATH = /^\/rest\/v1\/(rpc\/)?([a-z_][a-z0-9_]{0,62})$/;
const ROUTINE_METHODS = new Set(["GET", "HEAD", "POST"]);

/** Undefined if no route has this method and path. */
export function parseTarget(method: string, pathname: string): Target | undefined {
  const [, rpc, name] = PATH.exec(pathname) ?? [];
  const isRoutine = rpc !== undefined;
  const methods = isRoutine ? ROUTINE_METHODS : SETTINGS_OF;
  return name !== undefined && methods.has(method) ? { isRoutine, name } : undefined;
}

const VERBS = new Map<string, Verb>([
  ["POST", "insert"],
  ["PATCH", "update"],
  ["DELETE", "delete"],
]);
/** `{}`, which supabase-js sends without arguments. */
const EMPTY_BODY_BYTES = 64;

/**
 * Refuses a request for something that does not exist or that the role has no rights on, before its body is read.
 * Returns how large the body may be.
 */
export function requireRight(
  { method, target }: Pick<RestRequest, "method" | "target">,
  { catalogue, role }: { catalogue: Catalogue; role: CallerRole },
): { bodyBytes: number; tooLarge: RequestRefused } {
  const isGuest = role === "anon";
  const place = targetIn(catalogue, target);
  const isAllowed = place.routine
    ? place.routine.callers.includes(role)
    : place.relation.rights[role].includes(VERBS.get(method) ?? "select");
  if (!isAllowed) throw permissionDenied(isGuest);
  return place.routine?.parameters.size === 0
    ? { bodyBytes: EMPTY_BODY_BYTES, tooLarge: unknownRoutine() }
    : { bodyBytes: MAX_BODY_BYTES, tooLarge: bodyTooLarge() };
}

type Place = { routine: Routine; relation?: never } | { relation: Relation; routine?: never };

function targetIn(catalogue: Catalogue, { isRoutine, name }: Target): Place {
  if (isRoutine) {
    const routine = catalogue.routines.get(name);
    if (!routine) throw unknownRoutine();
    return { routine };
  }
  const relation = catalogue.relations.get(name);
  if (!relation) throw refused(404, "PGRST205", "Could not find a table of this name in the schema cache");
  return { relation };
}

export function parseRequest(request: RestRequest, catalogue: Catalogue): Query {
  const { method, target, headers } = request;
  requirePublicProfile(headers.get("accept-profile"));
  requirePublicProfile(headers.get("content-profile"));
  const preferences = parsePrefer(headers.get("prefer"));
  const isReading = method === "GET" || method === "HEAD";
  const common = {
    preferences,
    isSingle: parseAccept(headers.get("accept")),
    hasBody: method !== "HEAD",
    isReadOnly: isReading,
  };
  const { routine, relation } = targetIn(catalogue, target);
  return routine
    ? { ...common, ...parseCall(request, routine, isReading) }
    : { ...common, ...parseStatement(request, relation, preferences) };
}

const unknownRoutine = () =>
  refused(
    404,
    "PGRST202",
    "Could not find a function with this name and these parameters in the schema cache",
  );

/** The rest of the body is not read, so the connection cannot serve another request. */
const bodyTooLarge = () =>
  refused(413, "PGRST102", "Request body is too large", { headers: { connection: "close" } });

function parseStatement(
  request: RestRequest,
  relation: Relation,
  preferences: Preferences,
): Read | Insert | Update | Delete {
  const { method, headers } = request;
  const { settings, filters } = readParameters(request);
  const select = () => parseSelect(settings.get("select"), relation);
  const order = () => parseOrder(settings.get("order"), relation);
  const returned: Returned =
    preferences.return === "representation" ? { select: select(), order: order() } : undefined;
  if (method === "POST") {
    if (filters.length > 0) throw badQuery("Filters are not supported for new rows");
    return parseInsert(request, { relation, preferences, settings, returned });
  }
  const read = createFilterReader(relation);
  const where: QueryCondition[] = filters.map(([name, value]) => read(name, value));
  if (method === "DELETE") {
    requireFilter(where, "DELETE");
    return { kind: "delete", relation, where, returned };
  }
  if (method === "PATCH") {
    requireFilter(where, "UPDATE");
    const row = requireObject(bodyOf(request));
    const columns = columnsOf(row, relation);
    if (columns.length === 0) throw badBody("The body names no column");
    return { kind: "update", relation, columns, values: JSON.stringify(row), where, returned };
  }
  const range = parseRange(
    { limit: settings.get("limit"), offset: settings.get("offset") },
    headers.get("range"),
  );
  return { kind: "read", relation, select: select(), where, order: order(), range };
}

/** Hosted Supabase loads the extension safeupdate, which refuses these in the same words. */
function requireFilter(where: readonly QueryCondition[], statement: "UPDATE" | "DELETE"): void {
  if (where.length === 0) throw refused(400, "21000", `${statement} requires a WHERE clause`);
}

function parseInsert(
  request: RestRequest,
  {
    relation,
    preferences,
    settings,
    returned,
  }: { relation: Relation; preferences: Preferences; settings: Settings; returned: Returned },
): Insert {
  const named = settings.get("columns");
  const target = settings.get("on_conflict");
  const { rows, columns, missing } = bodyRows(
    bodyOf(request),
    relation,
    named === undefined ? undefined : parseColumns(named, relation, "`columns`"),
  );
  const key = target === undefined ? relation.primaryKey : parseColumns(target, relation, "`on_conflict`");
  const { resolution } = preferences;
  return {
    kind: "insert",
    relation,
    columns,
    rows: JSON.stringify(rows),
    defaults: preferences.missing === "default" ? missing : [],
    conflict:
      resolution && key.length > 0 ? { target: key, isMerged: resolution === "merge-duplicates" } : undefined,
    returned,
  };
}

function bodyOf({ body, headers }: RestRequest): unknown {
  if (!body || body.byteLength === 0) throw badBody("The body is empty");
  requireJsonType(headers.get("content-type"));
  return parseBody(body);
}

function parseCall(request: RestRequest, routine: Routine, isReading: boolean): Call {
  if (isReading && routine.isVolatile)
    throw refused(405, "PGRST101", "This function is called by POST only", { headers: { allow: "POST" } });
  const args = isReading ? argumentsInQuery(request, routine) : argumentsInBody(request);
  const parameters = [...args.keys()].map((name) => routine.parameters.get(name));
  const isComplete = routine.required.every(({ name }) => args.has(name));
  if (!isComplete || !parameters.every((parameter) => parameter !== undefined)) throw unknownRoutine();
  return { kind: "call", routine, parameters, args, isJson: !isReading };
}

function argumentsInQuery({ search }: RestRequest, { parameters }: Routine): Map<string, unknown> {
  const args = new Map<string, unknown>();
  for (const [name, value] of readPairs(search)) {
    if (!parameters.has(name) || args.has(name)) throw badQuery(ONLY_ARGUMENTS);
    args.set(name, value);
  }
  return args;
}

function argumentsInBody(request: RestRequest): Map<string, unknown> {
  if (readPairs(request.search).length > 0) throw badQuery(ONLY_ARGUMENTS);
  const isEmpty = !request.body || request.body.byteLength === 0;
  return new Map(isEmpty ? [] : Object.entries(requireObject(bodyOf(request))));
}

const ONLY_ARGUMENTS = `A function takes its arguments, each once, and no filters, order or select. ${NO_REGULAR_EXPRESSIONS}`;

type Setting = "select" | "order" | "limit" | "offset" | "columns" | "on_conflict";
type Settings = ReadonlyMap<Setting, string>;

const READING: readonly Setting[] = ["select", "order", "limit", "offset"];
const CHANGE: readonly Setting[] = ["select", "order"];
const SETTINGS_OF = new Map<string, readonly Setting[]>([
  ["GET", READING],
  ["HEAD", READING],
  ["POST", [...CHANGE, "columns", "on_conflict"]],
  ["PATCH", CHANGE],
  ["DELETE", CHANGE],
]);
const SETTINGS = new Map([...SETTINGS_OF.values()].flat().map((name): [string, Setting] => [name, name]));

/** Every name that is not a setting is a filter, and may occur several times. */
function readParameters({ search, method }: RestRequest): {
  settings: Settings;
  filters: [string, string][];
} {
  const settings = new Map<Setting, string>();
  const filters: [string, string][] = [];
  for (const [name, value] of readPairs(search)) {
    const setting = SETTINGS.get(name);
    if (!setting) filters.push([name, value]);
    else if (settings.has(setting)) throw badQuery(`\`${setting}\` comes more than once`);
    else if (SETTINGS_OF.get(method)?.includes(setting)) settings.set(setting, value);
    else throw badQuery(`\`${setting}\` is not supported by this method`);
  }
  return { settings, filters };
}

function readPairs(search: string): [string, string][] {
  if (search.length > MAX_QUERY_CHARACTERS)
    throw badQuery(`A query may have ${MAX_QUERY_CHARACTERS} characters`);
  const pairs = readQueryString(search);
  if (!pairs) throw badQuery("The query is not percent-encoded UTF-8, or holds a null character");
  return pairs;
}
