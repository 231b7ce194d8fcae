// Parses the request headers that affect the response.
import type { Preferences, Range } from "./query.ts";
import { badQuery, refused } from "./rest-error.ts";
import { MAX_ROWS } from "./rest-limits.ts";

const PREFERENCES = {
  return: ["representation", "minimal", "headers-only"],
  count: ["exact", "planned", "estimated"],
  resolution: ["merge-duplicates", "ignore-duplicates"],
  missing: ["default", "null"],
} as const satisfies { [Name in keyof Preferences]: readonly Preferences[Name][] };

type Preference = { name: keyof Preferences; value: string };
const KNOWN = new Map<string, Preference>(
  Object.entries(PREFERENCES).flatMap(([name, values]) =>
    values.map((value) => [`${name}=${value}`, { name: name as keyof Preferences, value }] as const),
  ),
);
const STRICT = "handling=strict";
const LENIENT = "handling=lenient";

/** Unknown preferences are ignored, and only the first of a name counts (RFC 7240), unless the client is strict. */
export function parsePrefer(header: string | null): Preferences {
  const found = new Map<string, string>();
  const asked = (header?.toLowerCase().split(",") ?? []).map((text) => text.trim()).filter(Boolean);
  for (const text of asked) {
    const preference = KNOWN.get(text);
    if (preference && !found.has(preference.name)) found.set(preference.name, preference.value);
  }
  const isUnknown = (text: string) => !KNOWN.has(text) && text !== STRICT && text !== LENIENT;
  if (asked.includes(STRICT) && asked.some(isUnknown))
    throw refused(400, "PGRST122", "Invalid preferences given with handling=strict");
  return Object.fromEntries(found);
}

const MEDIA_TYPES = new Map([
  ["application/json", { isSingle: false }],
  ["application/*", { isSingle: false }],
  ["*/*", { isSingle: false }],
  ["application/vnd.pgrst.object+json", { isSingle: true }],
]);

/** Whether a single object is requested instead of a list. The first supported type counts, whatever its weight. */
export function parseAccept(header: string | null): boolean {
  if (!header?.trim()) return false;
  for (const range of header.split(",")) {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim().toLowerCase());
    const known = MEDIA_TYPES.get(type);
    if (known && rest.every((part) => /^(?:q=|charset=)/.test(part))) return known.isSingle;
  }
  throw refused(406, "PGRST107", "None of these media types are available; application/json is");
}

/** Checks the schema in `Accept-Profile` or `Content-Profile`. */
export function requirePublicProfile(header: string | null): void {
  if (header !== null && header !== "public")
    throw refused(406, "PGRST106", "Only the schema public is served");
}

/** Combines the query's `limit` and `offset` with the `Range` header and the maximum number of rows. */
export function parseRange(
  { limit, offset }: { limit: string | undefined; offset: string | undefined },
  header: string | null,
): Range {
  const [, first = "0", last = ""] = header === null ? [] : (RANGE.exec(header.trim()) ?? badRange());
  if (last !== "" && Number(last) < Number(first)) throw rangeNotSatisfiable();
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

export const rangeNotSatisfiable = () => refused(416, "PGRST103", "Requested range not satisfiable");

function rowNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw badQuery("`limit` and `offset` are whole numbers");
  return Number(text);
}
