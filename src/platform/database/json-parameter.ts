import type { ISql, JSONValue, Parameter } from "postgres";

/** The database, inside a transaction or not. */
export type Db = ISql;

/** Rows and lists as one parameter: our connections know no array types. */
export function jsonOf(db: Db, value: unknown): Parameter {
  return db.json(value as JSONValue);
}
