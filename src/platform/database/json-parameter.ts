import type { ISql, JSONValue, Parameter } from "postgres";

/** A database connection, inside a transaction or not. */
export type Db = ISql;

/** Passes rows or lists as one JSON parameter, because our connections do not load array types. */
export function jsonOf(db: Db, value: unknown): Parameter {
  return db.json(value as JSONValue);
}
