import type { Sql } from "postgres";
import type { Listing } from "#core/listing/listing.ts";
import type { Logger } from "#core/ports/logger.ts";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { runIsolated } from "#platform/database/isolate.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import { readmit, readSetAside, setAside } from "../rows/quarantine.ts";

interface Adverts {
  readonly sql: Sql;
  readonly logger: Logger;
  readonly now: () => number;
}

const KIND = "advert";
/** If more throw, the cause is not in the adverts. */
const MOST_CULPRITS = 5;

const UNDO = new Error("undo");

/** Without those that threw an error before and are not due for another try. */
export async function withoutSetAside(
  { sql, now }: Adverts,
  listings: readonly Listing[],
): Promise<readonly Listing[]> {
  const codes = listings.map(({ propertyCode }) => propertyCode);
  const held = await readSetAside(sql, KIND, codes, new Date(now()));
  return held.size === 0 ? listings : listings.filter(({ propertyCode }) => !held.has(propertyCode));
}

/**
 * After `ingest` threw: finds the adverts that throw alone, by ingesting parts of the reading in transactions that are undone, and
 * sets them aside. Returns the others; undefined if the adverts are not the cause.
 */
export async function setAdvertsAside(
  { sql, logger, now }: Adverts,
  listings: readonly Listing[],
  ingest: (db: Db, listings: readonly Listing[]) => Promise<unknown>,
): Promise<readonly Listing[] | undefined> {
  const find = runIsolated(listings, async (some) => {
    const tried = inTransaction(sql, async (db) => {
      await ingest(db, some);
      throw UNDO;
    });
    await tried.catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
  });
  const culprits = await find.catch(() => []);
  if (culprits.length === 0 || culprits.length > Math.min(MOST_CULPRITS, listings.length / 2))
    return undefined;
  for (const { one, error } of culprits) {
    logger.error(
      { err: error, listingId: one.propertyCode },
      "an advert could not be stored and is set aside",
    );
    await setAside(sql, { kind: KIND, subject: one.propertyCode, error }, new Date(now()));
  }
  const faulty = new Set(culprits.map(({ one }) => one));
  return listings.filter((listing) => !faulty.has(listing));
}

/** Adverts whose further try succeeded. */
export async function readmitAdverts(db: Db, listings: readonly Listing[]): Promise<void> {
  await readmit(
    db,
    KIND,
    listings.map(({ propertyCode }) => propertyCode),
  );
}
