import type { Sql } from "postgres";

/** A process that stood still has woken up, and another does its work by now. */
export class LockLostError extends Error {
  override name = "LockLostError";
  constructor() {
    super("Another process does this by now");
  }
}

/** The same connections, for statements that only the holder of a lock may make. */
export function guardedByLock(sql: Sql, isHeld: () => boolean): Sql {
  const requireHeld = () => {
    if (!isHeld()) throw new LockLostError();
  };
  return new Proxy(sql, {
    apply: (target, self, values: unknown[]) => {
      requireHeld();
      return Reflect.apply(target as unknown as Act, self, values);
    },
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || !ACTS.has(name)) return member;
      return (...values: unknown[]) => {
        requireHeld();
        return Reflect.apply(member as Act, target, values);
      };
    },
  });
}

type Act = (...values: unknown[]) => unknown;

const ACTS: ReadonlySet<string | symbol> = new Set(["begin", "unsafe", "notify", "reserve"]);
