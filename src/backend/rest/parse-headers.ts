// What the headers of a request say about its answer.
import type { Preferences, Range } from "./query.ts";
import { badQuery, RequestRefused } from "./rest-error.ts";
import { MAX_ROWS } from "./rest-limits.ts";

// Firefox sends `Prefer: safe` by itself where a family's protection is on (RFC 8674).
const PREFERENCES = new Map<string, Preferences>([
  ["safe", {}],
  ...(["representation", "minimal", "headers-only"] as const).map(
    (value) => [`return=${value}`, { return: value }] as const,
  ),
  ...(["exact", "planned", "estimated"] as const).map(
    (value) => [`count=${value}`, { count: value }] as const,
  ),
  ...(["merge-duplicates", "ignore-duplicates"] as const).map(
    (value) => [`resolution=${value}`, { resolution: value }] as const,
  ),
  ...(["default", "null"] as const).map((value) => [`missing=${value}`, { missing: value }] as const),
]);

export function parsePrefer(header: string | null): Preferences {
  const preferences: Preferences = {};
  if (!header) return preferences;
  for (const text of header.split(",")) {
    const preference = PREFERENCES.get(text.trim().toLowerCase());
    const [name] = preference ? (Object.keys(preference) as (keyof Preferences)[]) : [];
    if (!preference || (name && (preferences[name] ?? preference[name]) !== preference[name]))
      throw badQuery("`Prefer` takes one each of return, count, resolution and missing");
    Object.assign(preferences, preference);
  }
  return preferences;
}

const MEDIA_TYPES = new Map([
  ["application/json", { isSingle: false }],
  ["application/*", { isSingle: false }],
  ["*/*", { isSingle: false }],
  ["application/vnd.pgrst.object+json", { isSingle: true }],
]);

/** Whether one object is asked for instead of a list. The first type that we can give counts, whatever its weight. */
export function parseAccept(header: string | null): boolean {
  if (!header?.trim()) return false;
  for (const range of header.split(",")) {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim().toLowerCase());
    const known = MEDIA_TYPES.get(type);
    if (known && rest.every((part) => /^(?:q=|charset=)/.test(part))) return known.isSingle;
  }
  const message = "None of these media types are available; application/json is";
  throw new RequestRefused({ status: 406, code: "PGRST107", message });
}

/** `Accept-Profile` or `Content-Profile`: the schema. */
export function requirePublicProfile(header: string | null): void {
  if (header === null || header === "public") return;
  const message = "Only the schema public is served";
  throw new RequestRefused({ status: 406, code: "PGRST106", message });
}

/** Rows from the query's `limit` and `offset` that the `Range` header asks for too, at most as many as are ever given. */
export function parseRange(
  { limit, offset }: { limit: string | undefined; offset: string | undefined },
  header: string | null,
): Range {
  const [, first = "0", last = ""] = header === null ? [] : (RANGE.exec(header.trim()) ?? badRange());
  if (last !== "" && Number(last) < Number(first)) throw RANGE_NOT_SATISFIABLE();
  const begin = Math.max(Number(first), rowNumber(offset) ?? 0);
  const ends = [begin + MAX_ROWS];
  if (last !== "") ends.push(Number(last) + 1);
  const most = rowNumber(limit);
  if (most !== undefined) ends.push((rowNumber(offset) ?? 0) + most);
  return { offset: begin, limit: Math.max(0, Math.min(...ends) - begin) };
}

const RANGE = /^(\d{1,9})-(\d{0,9})$/;

const badRange = (): never => {
  throw badQuery("`Range` is the number of the first row, a dash and that of the last");
};

export const RANGE_NOT_SATISFIABLE = () =>
  new RequestRefused({ status: 416, code: "PGRST103", message: "Requested range not satisfiable" });

function rowNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw badQuery("`limit` and `offset` are whole numbers");
  return Number(text);
}
