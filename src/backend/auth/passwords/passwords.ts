// Passwords: hashed in turn, compared in the same time whether there is an account or not, wrong ones counted.
import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { createSemaphore } from "#platform/limits/semaphore.ts";
import type { Caller } from "../auth-request.ts";
import type { RecordEvent } from "../events/auth-events.ts";
import type { AuthLimits } from "../limits/auth-limits.ts";

/** A hash fills a core for a tenth of a second: one core is left to everyone else. */
const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1);
const ROUNDS = 10;
/** bcrypt reads no further: two passwords equal up to there would both open the account. */
export const MAX_PASSWORD_BYTES = 72;

// Over the whole process. Addresses take turns: one that sends a hundred passwords waits for its own hundred.
const hashing = createSemaphore({ atOnce: HASHES_AT_ONCE });

// Compared where there is no account or no password: the time it takes must not tell. What it was made of is forgotten.
const NOBODYS_HASH = bcrypt.hashSync(crypto.randomUUID(), ROUNDS);

export const hashPassword = (password: string, address: string): Promise<string> =>
  hashing.run(() => bcrypt.hash(password, ROUNDS), address);

export async function isPassword(password: string, hash: string | null, address: string): Promise<boolean> {
  const isSame = await hashing.run(() => bcrypt.compare(password, hash ?? NOBODYS_HASH), address);
  return isSame && hash !== null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
}

export type PasswordAttempt = {
  email: string;
  /** Undefined where nobody has this address. */
  account: { id: string; passwordHash: string | null } | undefined;
  password: string;
  caller: Caller;
};

export type CheckPassword = (attempt: PasswordAttempt) => Promise<"right" | "wrong" | "limited">;

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Counts wrong passwords by account, and takes the same steps and as long for an account that is not there. */
export function createPasswordCheck(options: {
  limits: AuthLimits;
  record: RecordEvent;
  now: () => number;
}): CheckPassword {
  const { limits, now } = options;
  return async ({ email, account, password, caller }) => {
    // An address that the account was signed in from before is counted apart: a stranger's guesses never lock the owner out.
    const isKnown = await limits.knownAddresses.has(account?.id ?? NOBODY, caller.address);
    const key = isKnown ? `${email} ${caller.address}` : email;
    // Counted before the answer is known: of many guesses at once none slips by.
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
