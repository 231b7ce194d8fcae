// Passwords: a fair queue for hashing, comparison in constant time for unknown accounts, and a count of wrong ones.
import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { networkOf } from "#platform/limits/client-address.ts";
import { BusyError, createSemaphore } from "#platform/limits/semaphore.ts";
import type { Caller } from "../auth-request.ts";
import type { RecordEvent } from "../events/security-events.ts";
import type { AuthLimits } from "../limits/auth-limits.ts";
import { passwordHashes } from "./hash-threads.ts";

/** A hash uses a core for a tenth of a second, so one core is kept free. */
const HASHES_AT_ONCE = Math.min(8, Math.max(1, availableParallelism() - 1));
const ROUNDS = 10;
/** bcrypt ignores further bytes: two passwords with this common prefix would both open the account. */
export const MAX_PASSWORD_BYTES = 72;

// One queue for the process. Network addresses take turns, so one that sends many passwords delays only itself, and an
// address from which the account has been used before goes first. The longest queue takes about two seconds; beyond that
// a password is refused at once.
const WAITING_PER_CORE = 24;
const hashing = createSemaphore({ atOnce: HASHES_AT_ONCE, waiting: WAITING_PER_CORE * HASHES_AT_ONCE });

// Compared if there is no account or no password, so that the response time reveals nothing. Its password is random and
// unknown.
const NOBODYS_HASH = bcrypt.hashSync(crypto.randomUUID(), ROUNDS);

/** `isKnown`: the account has been used from this address before. */
type HashingCaller = { address: string; isKnown?: boolean };

const turnOf = ({ address, isKnown = false }: HashingCaller) => ({ caller: address, isUrgent: isKnown });

export const hashPassword = (password: string, caller: HashingCaller): Promise<string> =>
  hashing.run(() => passwordHashes.hash(password, ROUNDS), turnOf(caller));

export async function isPassword(
  password: string,
  hash: string | null,
  caller: HashingCaller,
): Promise<boolean> {
  const isSame = await hashing.run(
    () => passwordHashes.compare(password, hash ?? NOBODYS_HASH),
    turnOf(caller),
  );
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

  /** Undefined if too many were wrong. Each is counted before the comparison, so that concurrent guesses count too. */
  const compare = async ({ account, password, caller }: PasswordAttempt, counted: Counted) => {
    const { key, network, isKnown } = counted;
    if (!(await limits.wrongPasswords.take(key, now()))) return undefined;
    if (!isKnown && !limits.wrongPasswordsOfNetwork.take(network, now())) return undefined;
    const giveBack = async () => {
      if (!isKnown) limits.wrongPasswordsOfNetwork.giveBack(network, now());
      await limits.wrongPasswords.giveBack(key);
    };
    const turn = { address: caller.address, isKnown };
    try {
      const isRight = await isPassword(password, account?.passwordHash ?? null, turn);
      if (isRight) await giveBack();
      return isRight;
    } catch (error) {
      await giveBack();
      throw error;
    }
  };

  return async (attempt) => {
    const { email, account, caller } = attempt;
    // Addresses the account has signed in from are counted separately: a stranger's guesses never lock the owner out.
    const isKnown = await limits.knownAddresses.has(account?.id ?? NOBODY, caller.address);
    // Before the guess is counted, which would be undone: a flood costs no writes.
    if (hashing.isFull({ isUrgent: isKnown })) throw new BusyError("too many passwords waiting");
    const key = isKnown ? `${email} ${caller.address}` : email;
    const isRight = await compare(attempt, { key, network: networkOf(caller.address), isKnown });
    if (isRight === undefined) return "limited";
    if (!isRight || !account) {
      if (account) options.record({ kind: "wrong_password", userId: account.id, ...caller });
      return "wrong";
    }
    await limits.knownAddresses.add(account.id, caller.address, now());
    return "right";
  };
}

/** Wrong passwords count for the network too, also of unknown accounts: only counting those would tell which exist. */
type Counted = { key: string; network: string; isKnown: boolean };
