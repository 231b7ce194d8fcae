import type { Sql } from "postgres";

/** The process was suspended for too long, and another process has taken over its work. */
export class LockLostError extends Error {
  override name = "LockLostError";
  constructor() {
    super("The lock is lost: another process does this work now");
  }
}

/** The same connections, but statements are allowed only while the lock is held. */
export function guardedByLock(sql: Sql, isHeld: () => boolean): Sql {
  const requireHeld = () => {
    if (!isHeld()) throw new LockLostError();
  };
  return new Proxy(sql, {
    apply: (target, self, values: unknown[]) => {
      requireHeld();
      return Reflect.apply(target as unknown as GuardedCall, self, values);
    },
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || !GUARDED.has(name)) return member;
      return (...values: unknown[]) => {
        requireHeld();
        return Reflect.apply(member as GuardedCall, target, values);
      };
    },
  });
}

type GuardedCall = (...values: unknown[]) => unknown;

const GUARDED: ReadonlySet<string | symbol> = new Set(["begin", "unsafe", "notify", "reserve"]);
