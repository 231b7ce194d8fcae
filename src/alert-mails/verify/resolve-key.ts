// Looks up DKIM keys in DNS.
import { Resolver } from "node:dns/promises";
import { withTimeout } from "#platform/timing.ts";
import type { KeyAnswer } from "./examine-mail.ts";
import type { ResolveText } from "./verify-signature.ts";

const TRY_MS = 2_000;
const TRIES = 2;
const ALL_MS = 8_000;
/** Error codes that a retry would not change. */
const PERMANENT = new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "EFORMERR", "ENONAME", "EBADQUERY"]);

/** Looks up TXT records in DNS, except for names in `records`. */
export function createResolveText(records: Readonly<Record<string, string>> = {}): ResolveText {
  const known = new Map(Object.entries(records).map(([name, record]) => [name.toLowerCase(), record]));
  return async (name) => {
    const record = known.get(name.toLowerCase());
    if (record !== undefined) return [[record]];
    return new Resolver({ timeout: TRY_MS, tries: TRIES }).resolveTxt(name);
  };
}

/** Never throws. The code tells a missing key (ENOTFOUND) from one that is temporarily unavailable. */
export async function answerOfKey(resolveText: ResolveText, name: string): Promise<KeyAnswer> {
  try {
    return { records: await withTimeout(ALL_MS, resolveText(name)) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "ETIMEOUT";
    return { code: PERMANENT.has(code) ? "ENOTFOUND" : code };
  }
}
