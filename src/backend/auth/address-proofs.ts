// The proof of an address by a mailed link: at sign-up, which gives a session before it (POST /signup, POST /resend), and
// when an account without an address adds one (PUT /user). The link (POST /verify) opens no session, because another person's
// mailbox must not open the account. An account that has an address keeps it.
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { mailboxIn } from "#platform/email-address.ts";
import type { Bearer } from "./access-token.ts";
import { lockProven } from "./accounts.ts";
import { emailAddress, type Metadata } from "./auth-bodies.ts";
import { authError, authRefusal } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import { type Caller, faultIn } from "./auth-request.ts";
import { type UserJson, userJson } from "./gotrue-shapes.ts";
import { addMailedLink, type LinkKind, takeMailedLink } from "./mailed-links.ts";
import type { ProvenAccount } from "./passwords/reauthentication.ts";

type Order = {
  bearer: Bearer;
  caller: Caller;
  currentPassword: string | undefined;
  redirectTo: string | undefined;
};

type Proved = UserJson | "expired" | "taken";

export function createAddressProofs(parts: AuthParts) {
  const { sql, accounts, limits, now } = parts;

  const takeMail = createMailAllowance(parts);

  const sendSignUpLink = async (email: string, redirectTo: string | undefined) => {
    const account = await accounts.findByEmail(email);
    // Only what is sent counts for the mailbox: a stranger may ask for any number of addresses without an account.
    if (!account || account.isProven || (await takeMail("signup", `mailbox ${mailboxIn(email)}`))) return;
    const link = await inTransaction(sql, async (db) => {
      const [row] = await db<{ userId: string; metadata: Metadata }[]>`
        update auth.users set confirmation_sent_at = ${new Date(now())}
        where email = ${email} and email_confirmed_at is null
        returning id as "userId", raw_user_meta_data as metadata`;
      if (!row) return undefined;
      const { userId, metadata } = row;
      return {
        metadata,
        tokenHash: await addMailedLink(db, { kind: "signup", userId, email, nowMs: now() }),
      };
    });
    if (link) await parts.sendMail({ kind: "confirmation", to: email, redirectTo, ...link });
  };

  /**
   * Keeps the address until its link is used. A sign-in that proved the account is not used up: nothing has changed before
   * the link is opened, and a mistyped address is corrected at once.
   */
  const keepAdded = (proven: ProvenAccount, { userId, sessionId }: Bearer, email: string) =>
    inTransaction(sql, async (db) => {
      if (!(await lockProven(db, proven, { userId, sessionId }))) return undefined;
      const [row] = await db<{ metadata: Metadata }[]>`
        update auth.users set email_change = ${email}, email_change_sent_at = ${new Date(now())},
          updated_at = ${new Date(now())}
        where id = ${userId} and coalesce(email, '') = '' returning raw_user_meta_data as metadata`;
      if (!row) return undefined;
      const tokenHash = await addMailedLink(db, { kind: "email_change", userId, email, nowMs: now() });
      return { ...row, tokenHash };
    });

  return {
    /** Mails the link of a sign-up, unless its mailbox has had enough of them. */
    mailAtSignUp: (email: string, redirectTo: string | undefined): void =>
      parts.background.run(async () => {
        if (!(await takeMail("signup", email))) await sendSignUpLink(email, redirectTo);
      }),

    /** The same answer whether or not there is such an account, given before any lookup: it counts the address alone. */
    resend: async ({ email }: { email: string }, redirectTo: string | undefined): Promise<Response> => {
      const spent = await takeMail("signup", email);
      if (spent) return spent;
      parts.background.run(() => sendSignUpLink(email, redirectTo));
      return Response.json({}, { headers: { "cache-control": "no-store" } });
    },

    /** Returns undefined on success. Whether the address has an account changes neither the answer nor its time. */
    add: async (typed: unknown, order: Order): Promise<Response | undefined> => {
      const { bearer, redirectTo } = order;
      const account = await accounts.findProvable(bearer);
      if (!account) return authRefusal("session_ended");
      if (account.email !== "") return addressIsFixed();
      const { data: email, error } = emailAddress.safeParse(typed);
      if (error) return faultIn(error);
      const proof = await parts.reauthentication.prove(order);
      if ("refusal" in proof) {
        const { status, code, message } = proof.refusal;
        return authError(status, code, message);
      }
      if (!(await limits.addedAddresses.take(account.id, now()))) return tooManyMails();
      const spent = await takeMail("email_change", mailboxIn(email));
      if (spent) return spent;
      const link = await keepAdded(proof, bearer, email);
      if (link === undefined) return addressIsFixed();
      parts.background.run(async () => {
        if (await accounts.findByEmail(email)) return;
        await parts.sendMail({ kind: "email_change", to: email, redirectTo, ...link });
      });
      return undefined;
    },

    /** "Yes, that's me": keeps everything the account has. */
    verify: async (kind: "signup" | "email_change", token: string): Promise<Response> => {
      const outcome = await inTransaction(sql, async (db): Promise<Proved> => {
        const link = await takeMailedLink(db, { kind, token, nowMs: now() });
        if (!link) return "expired";
        const proved = { ...link, at: new Date(now()) };
        return kind === "signup" ? confirmSignUp(db, proved) : addAddress(db, proved);
      }).catch((error: unknown) => {
        // Somebody signed up with the address at the same moment.
        if (error instanceof Error && "code" in error && error.code === "23505") return "taken" as const;
        throw error;
      });
      if (outcome === "expired") return authError(403, "otp_expired", "Email link is invalid or has expired");
      if (outcome === "taken") return addressIsTaken();
      return Response.json({ user: outcome }, { headers: { "cache-control": "no-store" } });
    },
  };
}

/** Returns a refusal if an address or a mailbox has had enough of these mails. The two kinds do not reveal each other. */
function createMailAllowance({ limits, now }: AuthParts) {
  return async (kind: LinkKind, receiver: string): Promise<Response | undefined> => {
    const key = `${kind} ${receiver}`;
    if (!(await limits.proofMailsPerDay.take(key, now()))) return tooManyMails();
    if (await limits.proofMails.take(key, now())) return undefined;
    await limits.proofMailsPerDay.giveBack(key);
    return mailedJustNow();
  };
}

type Link = { userId: string; email: string; at: Date };

async function confirmSignUp(db: Db, { userId, email, at }: Link): Promise<Proved> {
  const [row] = await db<{ user: UserJson }[]>`
    update auth.users set email_confirmed_at = ${at}, updated_at = ${at}
    where id = ${userId} and email = ${email} returning ${userJson(db)} as user`;
  return row ? row.user : "expired";
}

async function addAddress(db: Db, { userId, email, at }: Link): Promise<Proved> {
  const [pending] = await db<{ isTaken: boolean }[]>`
    select exists (select from auth.users as other where other.email = ${email}) as "isTaken"
    from auth.users where id = ${userId} and email_change = ${email} and coalesce(email, '') = '' for update`;
  if (!pending) return "expired";
  if (pending.isTaken) {
    await db`update auth.users set email_change = null where id = ${userId}`;
    return "taken";
  }
  const identity = { sub: userId, email, email_verified: true, phone_verified: false };
  await db`
    insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
    values (${userId}, 'email', ${userId}, ${jsonOf(db, identity)}, ${at}, ${at})
    on conflict (provider_id, provider) do update set identity_data = excluded.identity_data`;
  const [row] = await db<{ user: UserJson }[]>`
    update auth.users set email = ${email}, email_confirmed_at = ${at}, email_change = null, updated_at = ${at},
      raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers', (
        select jsonb_agg(distinct provider) from auth.identities where user_id = ${userId}
      ))
    where id = ${userId} returning ${userJson(db)} as user`;
  return row ? row.user : "expired";
}

export const addressIsFixed = () =>
  authError(422, "validation_failed", "The address of an account cannot be changed here");

const addressIsTaken = () =>
  authError(422, "email_exists", "A user with this email address has already been registered");

const tooManyMails = () => authError(429, "over_email_send_rate_limit", "email rate limit exceeded");

const mailedJustNow = () =>
  authError(
    429,
    "over_email_send_rate_limit",
    "For security purposes, you can only request this after 60 seconds.",
  );
