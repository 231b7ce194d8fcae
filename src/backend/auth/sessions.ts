// Sessions and their refresh tokens. A refresh token is kept as its SHA-256 alone, and each is derived from the one before
// it with the session's own key:
//
//   current ──used──► used ──used again, its successor is unused──────────► the same successor again
//                          ├─used again within 60 s──────────────────────► the same successor again
//                          └─used again later, its successor was used────► the session ends: the token was copied
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import { inRepeatableTransaction } from "#platform/database/in-transaction.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { Bearer } from "./access-token.ts";
import { type IssuedSession, type UserJson, userJson } from "./gotrue-shapes.ts";
import type { GrantEvent } from "./grants/grants.ts";

export type SessionLimits = {
  /** A session ends if it was not refreshed for this long, */
  idleMs: number;
  /** and at the latest this long after it started. */
  maxMs: number;
};

/** In GoTrue's terms: a reset link or a provider. */
export type ProofMethod = "recovery" | "oauth";

type NewSession = {
  userId: string;
  userAgent: string | null;
  method?: ProofMethod;
  /** The stored hash that a password was compared with: it must still be the account's. */
  verifiedHash?: string | null;
};

type Ended = { refusal: "already_used" | "expired" | "suspended"; userId: string; sessionId: string };

export type RefreshAnswer = IssuedSession | Ended | { refusal: "not_found" } | { refusal: "too_often" };

// Two tabs may refresh at once, and one may have refreshed again before the other has its answer. If the answer itself
// was lost, the successor is unused, and the device may come back a day later.
export const REFRESH_GRACE_MS = 60_000;
/** Clients refresh about once an hour. */
const REFRESHES_PER_HOUR = 60;
/** Used tokens of a session that are remembered, so that a copy of one ends it. */
const MAX_USED_TOKENS = 1_000;

/** The stored form of a token, code or link. */
export const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

const successorOf = (token: string, key: string) =>
  createHmac("sha256", key).update(token).digest("base64url");

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ sql, limits, now }: { sql: Sql; limits: SessionLimits; now: () => number }) {
  const oldest = () => ({ started: new Date(now() - limits.maxMs), used: new Date(now() - limits.idleMs) });

  /**
   * Starts a session; returns undefined for a suspended person, and if the verified password is no longer the account's.
   * This is checked in the statement that makes the session: one that waits for a change reads the account again.
   */
  const begin = async (db: Db, start: NewSession): Promise<IssuedSession | undefined> => {
    const at = new Date(now());
    const sessionId = crypto.randomUUID();
    const refreshToken = randomBytes(32).toString("base64url");
    const [row] = await db<{ user: UserJson }[]>`
      with signed_in as (
        update auth.users set last_sign_in_at = ${at}, updated_at = ${at}
        where id = ${start.userId} and (banned_until is null or banned_until <= ${at})
          and (${start.verifiedHash ?? null}::text is null or encrypted_password = ${start.verifiedHash ?? null})
        returning id, ${userJson(db)} as user
      ), session as (
        insert into auth.sessions (id, user_id, user_agent, refresh_token_hmac_key, created_at, updated_at)
        select ${sessionId}, id, ${start.userAgent}, ${randomBytes(32).toString("base64url")}, ${at}, ${at}
        from signed_in returning id, user_id
      ), token as (
        insert into auth.refresh_tokens (token, user_id, session_id, created_at, updated_at)
        select ${hashOf(refreshToken)}, user_id, id, ${at}, ${at} from session
      ), proof as (
        insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
        select id, ${start.method ?? null}::text, ${at}, ${at} from session where ${start.method ?? null}::text is not null
      )
      select signed_in.user from signed_in`;
    return row && { sessionId, refreshToken, user: row.user };
  };

  const refusalOf = ({ startedAt, usedAt, isSuspended }: LockedSession) => {
    const { started, used } = oldest();
    if (startedAt < started || usedAt < used) return "expired";
    return isSuspended ? "suspended" : undefined;
  };

  const refresh = (token: string): Promise<RefreshAnswer> =>
    inRepeatableTransaction(sql, async (db) => {
      const session = await lockSession(db, token);
      if (!session) return { refusal: "not_found" };
      const refusal = refusalOf(session);
      if (refusal) return end(db, session, refusal);
      const at = new Date(now());
      const refreshToken = successorOf(token, session.key);
      // The session is locked, so a concurrent refresh has committed.
      const use = await findUse(db, { token, refreshToken, at });
      if (use === "copied") return end(db, session, "already_used");
      if (use === "again") return { sessionId: session.id, refreshToken, user: session.user };
      if (await hasRefreshedTooOften(db, session, at)) return { refusal: "too_often" };
      await replaceToken(db, session, { token, refreshToken, at });
      return { sessionId: session.id, refreshToken, user: session.user };
    });

  return {
    begin,
    refresh,
    isAlive: async ({ userId, sessionId }: Bearer): Promise<boolean> => {
      const { started, used } = oldest();
      const rows = await sql`
        select from auth.sessions where id = ${sessionId} and user_id = ${userId} and created_at >= ${started}
          and greatest(created_at, refreshed_at at time zone 'utc') >= ${used}`;
      return rows.length > 0;
    },
    /** Whether this refresh token was issued, for a session that has not ended. */
    isKnown: async (token: string): Promise<boolean> => {
      const rows = await sql`select from auth.refresh_tokens where token = ${hashOf(token)}`;
      return rows.length > 0;
    },
    /** Ends one session, all sessions of a person, or all but one. Returns the ids of those that ended. */
    end: ({ userId, sessionId }: Bearer, scope: SignOutScope): Promise<string[]> =>
      inRepeatableTransaction(sql, async (db) => {
        await db`select private.lock_person(${userId})`;
        // A session that has ended since its token was checked ends no other.
        const own = await db`select from auth.sessions where id = ${sessionId} and user_id = ${userId}`;
        if (own.length === 0) return [];
        const rows = await db<{ id: string }[]>`
          delete from auth.sessions where user_id = ${userId} and case ${scope}::text
            when 'local' then id = ${sessionId} when 'others' then id <> ${sessionId} else true end
          returning id`;
        const kept = scope === "others" ? sessionId : null;
        await db`select private.end_grants(${userId}, ${SIGN_OUT_EVENTS[scope]}, ${kept})`;
        return rows.map(({ id }) => id);
      }),
    deleteExpired: async (): Promise<void> => {
      const { started, used } = oldest();
      await sql`
        delete from auth.sessions where id in (
          select id from auth.sessions
          where created_at < ${started} or greatest(created_at, refreshed_at at time zone 'utc') < ${used}
          for update skip locked
        )`;
    },
  };
}

type SignOutScope = keyof typeof SIGN_OUT_EVENTS;

const SIGN_OUT_EVENTS = {
  local: "signed-out-here",
  others: "signed-out-elsewhere",
  global: "signed-out-everywhere",
} as const satisfies Record<string, GrantEvent>;

async function end(db: Db, { id, userId }: LockedSession, refusal: Ended["refusal"]): Promise<Ended> {
  await db`delete from auth.sessions where id = ${id}`;
  return { refusal, userId, sessionId: id };
}

/** "copied": the token is used again although its successor was used, so two devices have it. */
async function findUse(
  db: Db,
  { token, refreshToken, at }: { token: string; refreshToken: string; at: Date },
): Promise<"first" | "again" | "copied"> {
  const [used] = await db<{ at: Date; isSuccessorUsed: boolean }[]>`
    select used.updated_at as at, coalesce(successor.revoked, true) as "isSuccessorUsed"
    from auth.refresh_tokens as used
    left join auth.refresh_tokens as successor on successor.token = ${hashOf(refreshToken)}
    where used.token = ${hashOf(token)} and used.revoked`;
  if (!used) return "first";
  const isLate = at.getTime() - used.at.getTime() > REFRESH_GRACE_MS;
  return used.isSuccessorUsed && isLate ? "copied" : "again";
}

/** Otherwise a thief could refresh until the owner's used token is forgotten. */
async function hasRefreshedTooOften(db: Db, { id }: LockedSession, at: Date): Promise<boolean> {
  const recent = await db`
    select from auth.refresh_tokens where session_id = ${id} and created_at > ${new Date(at.getTime() - 3_600_000)}`;
  return recent.length > REFRESHES_PER_HOUR;
}

async function replaceToken(
  db: Db,
  { id, userId }: LockedSession,
  { token, refreshToken, at }: { token: string; refreshToken: string; at: Date },
): Promise<void> {
  await db`
    with used as (update auth.refresh_tokens set revoked = true, updated_at = ${at} where token = ${hashOf(token)}),
    successor as (
      insert into auth.refresh_tokens (token, user_id, session_id, created_at, updated_at)
      values (${hashOf(refreshToken)}, ${userId}, ${id}, ${at}, ${at})
    ), forgotten as (
      delete from auth.refresh_tokens where id in (
        select id from auth.refresh_tokens where session_id = ${id} order by id desc offset ${MAX_USED_TOKENS}
      )
    )
    update auth.sessions set refreshed_at = ${at}::timestamptz at time zone 'utc', updated_at = ${at} where id = ${id}`;
}

type LockedSession = {
  id: string;
  userId: string;
  key: string;
  startedAt: Date;
  usedAt: Date;
  isSuspended: boolean;
  user: UserJson;
};

/** Locks the session of a refresh token, so that refreshes and the end of one session are serialised. */
async function lockSession(db: Db, token: string): Promise<LockedSession | undefined> {
  const [row] = await db<LockedSession[]>`
    select sessions.id, sessions.user_id as "userId", sessions.refresh_token_hmac_key as key,
      sessions.created_at as "startedAt", greatest(sessions.created_at, sessions.refreshed_at at time zone 'utc') as "usedAt",
      coalesce(users.banned_until > now(), false) as "isSuspended", ${userJson(db)} as user
    from auth.sessions join auth.users on users.id = sessions.user_id
    where sessions.id = (select session_id from auth.refresh_tokens where token = ${hashOf(token)})
    for update of sessions`;
  return row;
}
