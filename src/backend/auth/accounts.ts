// Accounts and the ways to enter them: password, mailed link, provider.
import type { Sql } from "postgres";
import { inRepeatableTransaction } from "#platform/database/in-transaction.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import type { Bearer } from "./access-token.ts";
import { isSmallEnough, type Metadata } from "./auth-bodies.ts";
import { type UserJson, userJson } from "./gotrue-shapes.ts";
import type { PendingLink } from "./providers/flow-states.ts";
import type { ProviderAccount } from "./providers/providers.ts";

export type PasswordAccount = { id: string; email: string; passwordHash: string | null };

type Proof = { method: string; atMs: number };

export type EmailAccount = PasswordAccount & {
  metadata: Metadata;
  /** Its owner has confirmed the address. */
  isProven: boolean;
};

export type ProvableAccount = PasswordAccount & { proofs: Proof[] };

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ sql, now }: { sql: Sql; now: () => number }) {
  return {
    findByEmail: async (email: string): Promise<EmailAccount | undefined> => {
      const [row] = await sql<EmailAccount[]>`
        select id, email, nullif(encrypted_password, '') as "passwordHash", raw_user_meta_data as metadata,
          email_confirmed_at is not null as "isProven"
        from auth.users where email = ${email}`;
      return row;
    },
    findProvable: async ({ userId, sessionId }: Bearer): Promise<ProvableAccount | undefined> => {
      const [row] = await sql<ProvableAccount[]>`
        select users.id, coalesce(users.email, '') as email, nullif(users.encrypted_password, '') as "passwordHash", (
          select coalesce(
            jsonb_agg(jsonb_build_object(
              'method', authentication_method, 'atMs', floor(extract(epoch from updated_at) * 1000)
            )), '[]')
          from auth.mfa_amr_claims where session_id = sessions.id
        ) as proofs
        from auth.sessions join auth.users on users.id = sessions.user_id
        where sessions.id = ${sessionId} and users.id = ${userId}`;
      return row;
    },
    readUser: async (id: string): Promise<UserJson | undefined> => {
      const [row] = await sql<{ user: UserJson }[]>`
        select ${userJson(sql)} as user from auth.users where id = ${id}`;
      return row?.user;
    },
    /** Creates an account with a password; returns undefined if the address already has one. */
    create: async (
      db: Db,
      made: { email: string; passwordHash: string; metadata: Metadata },
    ): Promise<string | undefined> => {
      const id = await insertUser(db, { ...made, provider: "email", at: new Date(now()) });
      if (id === undefined) return undefined;
      const identity = { sub: id, email: made.email, email_verified: false, phone_verified: false };
      await insertIdentity(db, {
        userId: id,
        provider: "email",
        providerId: id,
        identity,
        at: new Date(now()),
      });
      return id;
    },
    changePassword: (proven: Proven, change: PasswordChange) =>
      inRepeatableTransaction(sql, (db) => changePassword(db, proven, { ...change, at: new Date(now()) })),
    /** Merges like GoTrue: null deletes a key. */
    changeMetadata: ({ userId, sessionId }: Bearer, changes: Metadata) =>
      inRepeatableTransaction(sql, async (db): Promise<"changed" | "too large" | "session_ended"> => {
        await db`select private.lock_person(${userId})`;
        const [row] = await db<{ metadata: Metadata }[]>`
          select raw_user_meta_data as metadata from auth.users join auth.sessions on sessions.user_id = users.id
          where users.id = ${userId} and sessions.id = ${sessionId} for no key update of users`;
        if (!row) return "session_ended";
        const merged = new Map([...Object.entries(row.metadata), ...Object.entries(changes)]);
        const kept = Object.fromEntries([...merged].filter(([, value]) => value !== null));
        if (!isSmallEnough(kept)) return "too large";
        await db`
          update auth.users set raw_user_meta_data = ${jsonOf(db, kept)}, updated_at = ${new Date(now())}
          where id = ${userId}`;
        return "changed";
      }),
    hasProviderAccount: async (provider: string, { email, subject }: ProviderAccount): Promise<boolean> => {
      const rows = await sql`
        select from auth.users where email = nullif(${email}, '')
        union all
        select from auth.identities where provider = ${provider} and provider_id = ${subject}`;
      return rows.length > 0;
    },
    /** Adds the Telegram user to the person's account. */
    linkTelegram: (link: PendingLink, account: ProviderAccount) =>
      inRepeatableTransaction(sql, (db) => linkTelegram(db, link, account)),
    /** Finds, links or creates the account of a person whom the provider has authenticated. */
    isSuspended: (db: Db, userId: string) => isSuspended(db, userId, new Date(now())),
    findOrCreateByProvider: (db: Db, provider: string, account: EnteringAccount) => {
      const { email } = account;
      return email === null
        ? enterByTelegram(db, account, new Date(now()))
        : findOrCreateByAddress(db, provider, { ...account, email }, new Date(now()));
    },
  };
}

/** By its password, or by the recent sign-in of its session. */
type Proven = { account: PasswordAccount; isBySignIn: boolean };

/**
 * Locks the person. Whether the session is alive and its proof still stands: the compared hash is the account's, or the
 * sign-in has served no other call.
 */
export async function lockProven(
  db: Db,
  { account, isBySignIn }: Proven,
  { userId, sessionId }: Bearer,
): Promise<boolean> {
  await db`select private.lock_person(${userId})`;
  const rows = await db`
    select from auth.users join auth.sessions on sessions.user_id = users.id
    where users.id = ${userId} and sessions.id = ${sessionId}
      and nullif(users.encrypted_password, '') is not distinct from ${account.passwordHash}
      and (not ${isBySignIn} or exists (select from auth.mfa_amr_claims where session_id = sessions.id))
    for no key update of users`;
  return rows.length > 0;
}

type PasswordChange = { bearer: Bearer; newHash: string };

/** Returns false if what was proved is no longer so. */
async function changePassword(
  db: Db,
  proven: Proven,
  { bearer, newHash, at }: PasswordChange & { at: Date },
): Promise<boolean> {
  const { userId, sessionId } = bearer;
  if (!(await lockProven(db, proven, bearer))) return false;
  // A proof given in another session does not count for this one.
  await db`
    delete from auth.mfa_amr_claims using auth.sessions
    where sessions.id = mfa_amr_claims.session_id and sessions.user_id = ${userId} and sessions.id <> ${sessionId}`;
  // A trigger ends what the old password granted, except this session.
  await db`select set_config('sereno.kept_session', ${sessionId}, true)`;
  await db`update auth.users set encrypted_password = ${newHash}, updated_at = ${at} where id = ${userId}`;
  return true;
}

/** "other-account": the Telegram user has an account that is not empty. */
type LinkOutcome = "linked" | "other-account" | "has-another" | "not-allowed";

type Entered = { userId: string; isNew: boolean };

/** `language`: of the page that the sign-in started from. */
type EnteringAccount = ProviderAccount & { language: string };

async function isSuspended(db: Db, userId: string, at: Date): Promise<boolean> {
  const [suspended] = await db`select from auth.users where id = ${userId} and banned_until > ${at}`;
  return suspended !== undefined;
}

/** Telegram gives no address: the account is found by its identity alone. "slowed": its user has made too many. */
async function enterByTelegram(db: Db, account: EnteringAccount, at: Date): Promise<Entered | "slowed"> {
  const { subject, metadata, language, isChatOpen } = account;
  const [{ isAdmitted }] = await db<[{ isAdmitted: boolean }]>`
    select private.admit_telegram_account(${subject}, ${at}) as "isAdmitted"`;
  if (!isAdmitted) return "slowed";
  const [entered] = await db<[Entered]>`
    select user_id as "userId", is_new as "isNew"
    from private.enter_by_telegram(${subject}, ${jsonOf(db, { ...metadata, language })})`;
  if (isChatOpen) await connectChat(db, entered.userId, account);
  return entered;
}

async function connectChat(db: Db, userId: string, { subject, metadata }: ProviderAccount): Promise<void> {
  const title = String(metadata.full_name ?? "") || null;
  await db`select private.connect_chat_at_sign_in(${userId}, ${subject}, ${title})`;
}

async function linkTelegram(
  db: Db,
  { flowId, userId }: PendingLink,
  account: ProviderAccount,
): Promise<LinkOutcome> {
  const { subject, metadata, isChatOpen } = account;
  const [{ outcome }] = await db<[{ outcome: LinkOutcome }]>`
    select private.link_telegram(${flowId}, ${subject}, ${jsonOf(db, metadata)}) as outcome`;
  if (outcome === "linked" && isChatOpen) await connectChat(db, userId, account);
  return outcome;
}

async function findOrCreateByAddress(
  db: Db,
  provider: string,
  { subject, email, metadata }: ProviderAccount & { email: string },
  at: Date,
): Promise<Entered | "taken"> {
  // Before any row, as everywhere. The account may be made or deleted until then.
  await db`
    select private.lock_person(found.id) from (
      select user_id as id from auth.identities where provider = ${provider} and provider_id = ${subject}
      union select id from auth.users where email = ${email}
      order by id
    ) as found`;
  const [identity] = await db<{ userId: string }[]>`
    update auth.identities set identity_data = ${jsonOf(db, metadata)}, last_sign_in_at = ${at}, updated_at = ${at}
    where provider = ${provider} and provider_id = ${subject} returning user_id as "userId"`;
  if (identity) return { ...identity, isNew: false };
  const made = await insertUser(db, { email, passwordHash: null, metadata, provider, at });
  // Made by somebody else just now.
  if (made === undefined) await db`select private.lock_person(id) from auth.users where email = ${email}`;
  const [found] = await db<{ id: string }[]>`select id from auth.users where email = ${email} for update`;
  const userId = made ?? found?.id;
  if (userId === undefined) throw new Error("The account was deleted during the sign-in");
  const [other] = await db<{ subject: string }[]>`
    select provider_id as subject from auth.identities where user_id = ${userId} and provider = ${provider}`;
  // An address can pass to another person, for example with a sold domain. It is never linked to the account of another
  // subject.
  if (other) return other.subject === subject ? { userId, isNew: false } : "taken";
  await insertIdentity(db, { userId, provider, providerId: subject, identity: metadata, at });
  // After the identity, because its trigger removes what was set up without proof of the address.
  await db`
    update auth.users set
      raw_user_meta_data = ${jsonOf(db, metadata)} || raw_user_meta_data,
      raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers', (
        select jsonb_agg(distinct identities.provider) from auth.identities where user_id = ${userId}
      ))
    where id = ${userId}`;
  return { userId, isNew: made !== undefined };
}

/** Returns undefined if the address has an account, even one created concurrently. */
async function insertUser(
  db: Db,
  made: { email: string; passwordHash: string | null; metadata: Metadata; provider: string; at: Date },
): Promise<string | undefined> {
  const { email, passwordHash, metadata, provider, at } = made;
  const [row] = await db<{ id: string }[]>`
    insert into auth.users (email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    values (${email}, ${passwordHash}, ${provider === "email" ? null : at}, ${jsonOf(db, { provider, providers: [provider] })}, ${jsonOf(db, metadata)}, ${at}, ${at})
    on conflict (email) do nothing returning id`;
  return row?.id;
}

async function insertIdentity(
  db: Db,
  made: { userId: string; provider: string; providerId: string; identity: Metadata; at: Date },
): Promise<void> {
  const { userId, provider, providerId, identity, at } = made;
  await db`
    insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${userId}, ${provider}, ${providerId}, ${jsonOf(db, identity)}, ${at}, ${at}, ${at})`;
}
