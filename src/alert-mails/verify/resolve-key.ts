// Where the portals publish the keys of their signatures.
import { Resolver } from "node:dns/promises";
import { withTimeout } from "#platform/timing.ts";
import type { KeyAnswer } from "./examine-mail.ts";
import type { ResolveText } from "./verify-signature.ts";

const TRY_MS = 2_000;
const TRIES = 2;
const ALL_MS = 8_000;
/** No such name, whoever is asked and whenever. */
const NEVER = new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "EFORMERR", "ENONAME", "EBADQUERY"]);

/** Asks the name system; names in `records` are known without. */
export function createResolveText(records: Readonly<Record<string, string>> = {}): ResolveText {
  const known = new Map(Object.entries(records).map(([name, record]) => [name.toLowerCase(), record]));
  return async (name) => {
    const record = known.get(name.toLowerCase());
    if (record !== undefined) return [[record]];
    return new Resolver({ timeout: TRY_MS, tries: TRIES }).resolveTxt(name);
  };
}

/** Never throws: a key that cannot be had now and one that does not exist are different answers. */
export async function answerOfKey(resolveText: ResolveText, name: string): Promise<KeyAnswer> {
  try {
    return { records: await withTimeout(ALL_MS, resolveText(name)) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "ETIMEOUT";
    return { code: NEVER.has(code) ? "ENOTFOUND" : code };
  }
}
