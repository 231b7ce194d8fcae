// Whose turn it is to hash a password, over the whole process. lite hashes by itself, in the midst of its statements; the
// module that hashes for it and for us is one, and is given turns here.
import { availableParallelism } from "node:os";
import bcrypt from "bcryptjs";
import { createGate } from "../limits/gate.ts";

/** A hash fills a core for a tenth of a second: one core is left to everyone else. */
const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1);

/**
 * Requests that hash, at work at once: while some wait for the database, others hash. Each address has its turn among
 * those who wait, so that the line before the hashes themselves is short.
 */
export const HASHING_REQUESTS = 2 * HASHES_AT_ONCE + 2;

const { compare, hash } = bcrypt;
const inTurn = createGate(HASHES_AT_ONCE);
Object.assign(bcrypt, {
  compare: (password: string, stored: string) => inTurn(() => compare(password, stored)),
  hash: (password: string, rounds: number) => inTurn(() => hash(password, rounds)),
});
