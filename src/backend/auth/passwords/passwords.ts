// Passwords: a fair queue for hashing, comparison in constant time for unknown accounts, and a count of wrong ones.
import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { createSemaphore } from "#platform/limits/semaphore.ts";
import type { Caller } from "../auth-request.ts";
import type { RecordEvent } from "../events/security-events.ts";
import type { AuthLimits } from "../limits/auth-limits.ts";

/** A hash uses a core for a tenth of a second, so one core is kept free. */
const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1);
const ROUNDS = 10;
/** bcrypt ignores further bytes: two passwords with this common prefix would both open the account. */
export const MAX_PASSWORD_BYTES = 72;

// One queue for the process. Network addresses take turns, so one that sends many passwords delays only itself.
const hashing = createSemaphore({ atOnce: HASHES_AT_ONCE });

// Compared if there is no account or no password, so that the response time reveals nothing. Its password is random and
// unknown.
const NOBODYS_HASH = bcrypt.hashSync(crypto.randomUUID(), ROUNDS);

export const hashPassword = (password: string, address: string): Promise<string> =>
  hashing.run(() => bcrypt.hash(password, ROUNDS), address);

export async function isPassword(password: string, hash: string | null, address: string): Promise<boolean> {
  const isSame = await hashing.run(() => bcrypt.compare(password, hash ?? NOBODYS_HASH), address);
  return isSame && hash !== null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
}

export type PasswordAttempt = {
  email: string;
  account: { id: string; passwordHash: string | null } | undefined;
  password: string;
  caller: Caller;
};

export type CheckPassword = (attempt: PasswordAttempt) => Promise<"right" | "wrong" | "limited">;

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Counts wrong passwords per account. An unknown account takes the same steps and the same time. */
export function createPasswordCheck(options: {
  limits: AuthLimits;
  record: RecordEvent;
  now: () => number;
}): CheckPassword {
  const { limits, now } = options;
  return async ({ email, account, password, caller }) => {
    // Addresses the account has signed in from are counted separately: a stranger's guesses never lock the owner out.
    const isKnown = await limits.knownAddresses.has(account?.id ?? NOBODY, caller.address);
    const key = isKnown ? `${email} ${caller.address}` : email;
    // Counted before the comparison, so that concurrent guesses cannot exceed the limit.
    if (!(await limits.wrongPasswords.take(key, now()))) return "limited";
    if (!(await isPassword(password, account?.passwordHash ?? null, caller.address)) || !account) {
      if (account) options.record({ kind: "wrong_password", userId: account.id, ...caller });
      return "wrong";
    }
    await Promise.all([
      limits.wrongPasswords.giveBack(key),
      limits.knownAddresses.add(account.id, caller.address, now()),
    ]);
    return "right";
  };
}
