import type { Sql } from "postgres";
import type { DriverQuery } from "./connection.ts";

/** Members that would make the driver open a connection by itself. */
const UNAVAILABLE = new Set<string | symbol>([
  ...["reserve", "listen", "subscribe", "notify", "file", "largeObject", "close", "begin", "end"],
]);

/** The driver's interface, with queries sent by `dispatch` instead of the driver's own pool. */
export function sqlVia(
  writer: Sql,
  dispatch: (query: DriverQuery) => void,
  members: Readonly<Record<string, unknown>>,
): Sql {
  const routed = (written: unknown) => {
    // The driver's fragments for names and values are no promises.
    if (written instanceof Promise) (written as DriverQuery).handler = dispatch;
    return written;
  };
  const own: Record<string | symbol, unknown> = {
    unsafe: (...args: Parameters<Sql["unsafe"]>) => routed(writer.unsafe(...args)),
    ...members,
  };
  return new Proxy(writer, {
    apply: (target, self, args) => routed(Reflect.apply(target as unknown as RoutedCall, self, args)),
    get: (target, name) => {
      if (name in own) return own[name];
      return UNAVAILABLE.has(name) ? undefined : Reflect.get(target, name);
    },
  });
}

type RoutedCall = (...args: unknown[]) => unknown;
