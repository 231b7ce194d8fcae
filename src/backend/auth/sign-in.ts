import bcrypt from "bcryptjs";
import type { AuthLimits } from "../limits/auth-limits.ts";
import { type AuthBody, emailOf } from "./auth-body.ts";
import { rateLimited } from "./auth-error.ts";
import type { AuthRecords } from "./auth-records.ts";

export type SignIn = (
  attempt: { body: AuthBody; address: string },
  again: () => Promise<Response>,
) => Promise<Response>;

// The cost of the hashes the auth service makes. The password behind this one was random and is forgotten.
const NOBODYS_HASH = bcrypt.hashSync(crypto.randomUUID(), 10);

/** Counts wrong passwords by account, and takes as long for an account that is not there. */
export function createSignIn(options: {
  limits: AuthLimits;
  records: AuthRecords;
  now: () => number;
}): SignIn {
  const { limits, records, now } = options;
  return async ({ body, address }, again) => {
    const email = emailOf(body);
    if (!email || typeof body.password !== "string") return again();
    // Who has signed in from here before is counted apart: a stranger's guesses never lock the owner out.
    const [isKnown, hasPassword] = await Promise.all([
      limits.knownAddresses.has(email, address),
      records.hasPassword(email),
    ]);
    const key = isKnown ? `${email} ${address}` : email;
    // Counted before the answer is known: of many guesses at once none slips by.
    if (!(await limits.wrongPasswords.take(key, now()))) return rateLimited();

    // The auth service hashes only where there is something to compare with; the time it takes must not tell.
    if (!hasPassword) await bcrypt.compare(body.password, NOBODYS_HASH);
    const answer = await again();
    if (answer.ok) {
      await Promise.all([
        limits.wrongPasswords.giveBack(key),
        limits.knownAddresses.add(email, address, now()),
      ]);
    }
    return answer;
  };
}
