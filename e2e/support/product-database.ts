import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";

/** Connects to the product's database with all rights. */
export async function connectToProduct(): Promise<postgres.Sql> {
  const folder = process.env.E2E_DATA_DIR ?? "";
  const { databasePassword } = JSON.parse(await readFile(join(folder, "secrets.json"), "utf8"));
  const port = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n")[3];
  const password = encodeURIComponent(databasePassword);
  return postgres(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, {
    max: 1,
    onnotice: () => {},
  });
}

let connection: Promise<postgres.Sql> | undefined;

/** Runs a query on this worker's connection. For what a user cannot write or what would take hours to happen. */
export async function inDatabase<T>(query: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  connection ??= connectToProduct();
  return query(await connection);
}
