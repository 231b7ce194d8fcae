// A session from the launch of a Mini App. The launch stays usable for an hour, because a reload repeats it, so it is
// remembered with the session that it opened:
//
//   new ──used──► opened ──used again, its session lives──► that session is replaced
//                    └─────used again, its session ended──► refused
//
// A launch that was signed before the person's grants ended opens nothing (private.ended_grants).
import type { Sql } from "postgres";
import { inRepeatableTransaction } from "#platform/database/in-transaction.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { IssuedSession } from "../gotrue-shapes.ts";
import { TELEGRAM } from "../providers/providers.ts";
import type { Sessions } from "../sessions.ts";
import type { InitData } from "./init-data.ts";

const KEPT_MS = 2 * 3_600_000;

type Opened =
  | { session: IssuedSession; isRepeated: boolean }
  | { refusal: "unknown" | "ended" | "suspended" };

export function createLaunches({ sql, sessions, now }: { sql: Sql; sessions: Sessions; now: () => number }) {
  return {
    open: ({ telegramId, signedAtMs, launch }: InitData, userAgent: string | null): Promise<Opened> =>
      inRepeatableTransaction(sql, async (db) => {
        const userId = await lockPersonOf(db, telegramId);
        if (userId === undefined) return { refusal: "unknown" };
        if (!(await mayOpen(db, { userId, signedAtMs, launch }))) return { refusal: "ended" };
        const session = await sessions.begin(db, { userId, userAgent });
        if (!session) return { refusal: "suspended" };
        const isRepeated = await replaceSession(db, { launch, session, at: new Date(now()) });
        return { session, isRepeated };
      }),
    deleteOld: async (): Promise<void> => {
      await sql`delete from private.telegram_launches where opened_at < ${new Date(now() - KEPT_MS)}`;
    },
  };
}

/** The account is asked for again under the lock: until then its Telegram user may be disconnected. */
async function lockPersonOf(db: Db, telegramId: string): Promise<string | undefined> {
  const find = () => db<{ userId: string }[]>`
    select user_id as "userId" from auth.identities where provider = ${TELEGRAM} and provider_id = ${telegramId}`;
  const [found] = await find();
  if (!found) return undefined;
  await db`select private.lock_person(${found.userId})`;
  const [locked] = await find();
  return locked?.userId === found.userId ? found.userId : undefined;
}

async function mayOpen(
  db: Db,
  { userId, signedAtMs, launch }: { userId: string; signedAtMs: number; launch: Buffer },
): Promise<boolean> {
  const [row] = await db<[{ mayOpen: boolean }]>`
    select not exists (
      select from private.ended_grants where user_id = ${userId} and ended_at > ${new Date(signedAtMs)}
    ) and not exists (
      select from private.telegram_launches as earlier
      where earlier.launch = ${launch} and (earlier.user_id is distinct from ${userId} or not exists (
        select from auth.sessions where id = earlier.session_id
      ))
    ) as "mayOpen"`;
  return row.mayOpen;
}

/** Whether the launch had been used before: then the session that it opened ends. */
async function replaceSession(
  db: Db,
  { launch, session, at }: { launch: Buffer; session: IssuedSession; at: Date },
): Promise<boolean> {
  const replaced = await db`
    delete from auth.sessions using private.telegram_launches as earlier
    where earlier.launch = ${launch} and sessions.id = earlier.session_id returning sessions.id`;
  await db`
    insert into private.telegram_launches as earlier (launch, user_id, session_id, opened_at)
    values (${launch}, ${session.user.id}, ${session.sessionId}, ${at})
    on conflict (launch) do update set session_id = excluded.session_id, uses = earlier.uses + 1`;
  return replaced.length > 0;
}
