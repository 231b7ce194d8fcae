// Accounts and sessions in GoTrue's format, which supabase-js passes on to pages.
import type { Db } from "#platform/database/json-parameter.ts";
import type { TokenKeys } from "../server-keys.ts";
import { ACCESS_TOKEN_SECONDS, signAccessToken } from "./access-token.ts";

export type UserJson = {
  id: string;
  email: string;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
};

export type IssuedSession = { sessionId: string; refreshToken: string; user: UserJson };

export function createSessionAnswers({ keys, now }: { keys: TokenKeys; now: () => number }) {
  const issue = async ({ sessionId, refreshToken, user }: IssuedSession) => {
    const { id: userId, email, app_metadata } = user;
    // Nothing that the person chooses: a token travels in a header, which servers limit to 16 kB.
    const claims = { email, phone: "", app_metadata, is_anonymous: false };
    return {
      access_token: await signAccessToken(keys, { userId, sessionId, claims, nowMs: now() }),
      token_type: "bearer",
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
    };
  };
  return {
    /**
     * GoTrue's `expires_at` is left out, so supabase-js computes it from `expires_in` and the device's clock. With our
     * clock, a device whose clock is hours ahead would consider every new token expired and refresh forever.
     */
    inBody: async (session: IssuedSession): Promise<Response> =>
      Response.json(
        { ...(await issue(session)), user: session.user },
        { headers: { "cache-control": "no-store" } },
      ),
    /** For the fragment of the URL that the person returns to. */
    inFragment: async (session: IssuedSession): Promise<string> => {
      const { expires_in, ...issued } = await issue(session);
      const expires_at = Math.floor(now() / 1000) + expires_in;
      return new URLSearchParams({
        ...issued,
        expires_in: String(expires_in),
        expires_at: String(expires_at),
        sb: "",
      }).toString();
    },
  };
}

/** The account in the row `users`, also in a `returning` clause. */
export const userJson = (db: Db) => db`
  jsonb_strip_nulls(jsonb_build_object(
    'id', users.id,
    'aud', users.aud,
    'role', users.role,
    'email', coalesce(users.email, ''),
    'phone', coalesce(users.phone, ''),
    'email_confirmed_at', users.email_confirmed_at,
    'confirmed_at', users.email_confirmed_at,
    'recovery_sent_at', users.recovery_sent_at,
    'new_email', users.email_change,
    'email_change_sent_at', users.email_change_sent_at,
    'last_sign_in_at', users.last_sign_in_at,
    'created_at', users.created_at,
    'updated_at', users.updated_at,
    'is_anonymous', users.is_anonymous
  )) || jsonb_build_object(
    'app_metadata', users.raw_app_meta_data,
    'user_metadata', users.raw_user_meta_data,
    'identities', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'identity_id', identities.id,
        'id', identities.provider_id,
        'user_id', identities.user_id,
        'identity_data', identities.identity_data,
        'provider', identities.provider,
        'last_sign_in_at', identities.last_sign_in_at,
        'created_at', identities.created_at,
        'updated_at', identities.updated_at,
        'email', identities.email
      ) order by identities.created_at), '[]')
      from auth.identities where identities.user_id = users.id
    )
  )`;
