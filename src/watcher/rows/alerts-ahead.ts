/**
 * A check writes the alerts of each page before it reads the next, which is older. They wait for the end of the reading, so that a
 * chat gets the oldest home first, however many pages were new.
 */
import type { Db } from "#platform/database/json-parameter.ts";

/** If the check dies, they are sent this long after its last page. Longer than a page can take. */
const WAIT_MS = 60_000;

interface Ahead {
  /** Of all pages so far, the oldest first. */
  readonly codes: readonly string[];
  /** When the first of them was written. */
  readonly since: Date;
  readonly now: Date;
}

/** Puts them behind the alerts of the page that was written last, in their order. */
export async function keepAhead(db: Db, { codes, since, now }: Ahead): Promise<void> {
  await moveToEnd(db, codes, { since, now, notBefore: new Date(now.getTime() + WAIT_MS) });
}

/** The reading has ended. */
export async function sendAhead(db: Db, { codes, since, now }: Ahead): Promise<void> {
  if (codes.length === 0) return;
  await moveToEnd(db, codes, { since, now, notBefore: now });
  await db`select pg_notify('alerts', '')`;
}

async function moveToEnd(
  db: Db,
  codes: readonly string[],
  { since, now, notBefore }: { since: Date; now: Date; notBefore: Date },
): Promise<void> {
  const waitsUntil = new Date(now.getTime() + WAIT_MS);
  // Sent together and carried out one after the other.
  await Promise.all(
    codes.map(
      (code) => db`
        update watch.alerts set position = default, not_before = ${notBefore}
        where listing_id = ${code} and kind = 'new' and created_at >= ${since} and state = 'pending' and attempts = 0
          and not_before <= ${waitsUntil}`,
    ),
  );
}
