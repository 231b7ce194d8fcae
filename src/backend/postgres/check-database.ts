import postgres from "postgres";
import { within } from "#store/connection/within.ts";
import { explainConnection } from "./explain-connection.ts";

const CONNECT_WITHIN_SECONDS = 5;
const CHECK_WITHIN_MS = 8_000;

/** What keeps a PostgreSQL server of one's own from serving us, a sentence each. */
export async function findDatabaseFaults(databaseUrl: string): Promise<string[]> {
  const sql = postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    connect_timeout: CONNECT_WITHIN_SECONDS,
    onnotice: () => {},
  });
  try {
    await within(CHECK_WITHIN_MS, sql`select 1`);
    return [];
  } catch (error) {
    return [explainConnection(error, databaseUrl)];
  } finally {
    void sql.end({ timeout: 0 }).catch(() => {});
  }
}
