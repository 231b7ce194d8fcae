// Provider sign-ins in progress and the codes they end with. State and code are stored as hashes; each works once, for
// five minutes.
import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import type { Db } from "#platform/database/json-parameter.ts";
import type { Bearer } from "../access-token.ts";
import { hashOf } from "../sessions.ts";
import type { SignInFlow } from "./flow-cookies.ts";

const FLOW_MS = 5 * 60_000;
const KEPT_MS = 3_600_000;

/** A link in progress: it is made only if its session has allowed this flow to (private.telegram_links). */
export type PendingLink = { flowId: string; userId: string };

/** `link`: null for a sign-in. */
type TakenState = { isChallenged: boolean; link: PendingLink | null };

export function createFlowStates({ sql, now }: { sql: Sql; now: () => number }) {
  const since = () => new Date(now() - FLOW_MS);
  return {
    begin: async (
      { provider, state, secret }: SignInFlow,
      codeChallenge: string | undefined,
    ): Promise<void> => {
      await sql`
        insert into auth.flow_state (id, browser_hash, provider_type, code_challenge, created_at)
        values (${idOf(state)}, ${hashOf(secret)}, ${provider}, ${codeChallenge ?? null}, ${new Date(now())})`;
    },
    /** Returns false if the session has ended since its token was checked. What ends it later ends the flow as well. */
    beginLink: async (
      { provider, state, secret }: SignInFlow,
      { userId, sessionId }: Bearer,
    ): Promise<boolean> => {
      const rows = await sql`
        insert into auth.flow_state (
          id, browser_hash, provider_type, linking_target_id, linking_session_id, created_at
        )
        select ${idOf(state)}, ${hashOf(secret)}, ${provider}, user_id, id, ${new Date(now())}::timestamptz
        from auth.sessions where id = ${sessionId} and user_id = ${userId} for key share
        returning id`;
      return rows.length > 0;
    },
    /** Consumes the state for the browser that started with it; undefined for another browser or a second use. */
    takeState: async ({ provider, state, secret }: SignInFlow): Promise<TakenState | undefined> => {
      const [row] = await sql<TakenState[]>`
        update auth.flow_state set is_state_used = true
        where id = ${idOf(state)} and provider_type = ${provider} and browser_hash = ${hashOf(secret)}
          and not is_state_used and created_at > ${since()}
        returning code_challenge is not null as "isChallenged", case when linking_target_id is not null then
          jsonb_build_object('userId', linking_target_id, 'flowId', id) end as link`;
      return row;
    },
    issueCode: async (db: Db, issued: { state: string; userId: string; code: string }): Promise<void> => {
      await db`
        update auth.flow_state set user_id = ${issued.userId}, auth_code = ${hashOf(issued.code)},
          auth_code_issued_at = ${new Date(now())}
        where id = ${idOf(issued.state)}`;
    },
    /**
     * Consumes the code if the verifier matches its challenge; a wrong verifier leaves it valid. The person is locked before
     * the row, so that what ends the code comes before or after; and the identity that it came from must still exist.
     */
    takeCode: async (
      db: Db,
      { code, verifier }: { code: string; verifier: string },
    ): Promise<{ userId: string } | "not_found" | "expired" | "wrong_verifier"> => {
      await db`
        select private.lock_person(user_id) from auth.flow_state where auth_code = ${hashOf(code)}`;
      const [flow] = await db<{ id: string; userId: string; challenge: string; isLive: boolean }[]>`
        select id, user_id as "userId", code_challenge as challenge, auth_code_issued_at > ${since()} as "isLive"
        from auth.flow_state where auth_code = ${hashOf(code)} and exists (
          select from auth.identities where user_id = flow_state.user_id and provider = provider_type
        ) for update`;
      if (!flow) return "not_found";
      if (!flow.isLive) return "expired";
      if (challengeOf(verifier) !== flow.challenge) return "wrong_verifier";
      await db`delete from auth.flow_state where id = ${flow.id}`;
      return { userId: flow.userId };
    },
    deleteOld: async (): Promise<void> => {
      await sql`delete from auth.flow_state where created_at < ${new Date(now() - KEPT_MS)}`;
    },
  };
}

/** PKCE's S256 transformation of a verifier. */
export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

function idOf(state: string): string {
  return hashOf(`state ${state}`)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
