// Runs before each file of database tests: they sign up hundreds of people, and a real hash takes a core for a tenth of a
// second. Programs that a test starts hash as always.
import { passwordHashes } from "#backend/auth/passwords/hash-threads.ts";

const FEWEST_ROUNDS = 4;
const QUICK = Symbol.for("sereno quick passwords");
const { hash } = passwordHashes;

// The files of a worker share their modules.
if (!(QUICK in hash)) {
  const quick = (password: string) => hash(password, FEWEST_ROUNDS);
  Object.assign(passwordHashes, { hash: Object.assign(quick, { [QUICK]: true }) });
}
