// Adding an address to an account that has none: PUT /user with an email, then POST /verify with the mailed link. An
// account that has an address keeps it.
import { randomBytes } from "node:crypto";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { jsonOf } from "#platform/database/json-parameter.ts";
import type { Bearer } from "./access-token.ts";
import { lockProven } from "./accounts.ts";
import { emailAddress, type Metadata } from "./auth-bodies.ts";
import { authError, authRefusal } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Caller } from "./auth-request.ts";
import { type UserJson, userJson } from "./gotrue-shapes.ts";
import type { ProvenAccount } from "./passwords/reauthentication.ts";
import { hashOf } from "./sessions.ts";

type Order = {
  bearer: Bearer;
  caller: Caller;
  currentPassword: string | undefined;
  redirectTo: string | undefined;
};

/** As long as its mail is retried. */
const LINK_MS = 3_600_000;

export function createAddedAddress(parts: AuthParts) {
  const { sql, accounts, limits, now } = parts;

  /** Returns a refusal if this account, or the owner of the mailbox, has had enough links. */
  const takeMail = async (userId: string, email: string): Promise<Response | undefined> => {
    if (!(await limits.addedAddresses.take(userId, now()))) return tooManyMails();
    if (!(await limits.linksToNewAddress.take(email, now()))) return tooManyMails();
    if (await limits.mailsToOneAddress.take(email, now())) return undefined;
    await limits.linksToNewAddress.giveBack(email);
    return mailedJustNow();
  };

  /**
   * Keeps the address with a link that replaces an earlier one. A sign-in that proved the account is not used up: nothing
   * has changed before the link is opened, and a mistyped address is corrected at once.
   */
  const keep = (
    proven: ProvenAccount,
    bearer: Bearer,
    { email, tokenHash }: { email: string; tokenHash: string },
  ): Promise<Metadata | undefined> =>
    inTransaction(sql, async (db) => {
      if (!(await lockProven(db, proven, bearer))) return undefined;
      const [row] = await db<{ metadata: Metadata }[]>`
        update auth.users set email_change = ${email}, email_change_token_new = ${hashOf(tokenHash)},
          email_change_sent_at = ${new Date(now())}, updated_at = ${new Date(now())}
        where id = ${bearer.userId} and coalesce(email, '') = '' returning raw_user_meta_data as metadata`;
      return row?.metadata;
    });

  return {
    /** Returns undefined on success. Whether the address has an account changes neither the answer nor its time. */
    request: async (typed: unknown, order: Order): Promise<Response | undefined> => {
      const { bearer, redirectTo } = order;
      const account = await accounts.findProvable(bearer);
      if (!account) return authRefusal("session_ended");
      if (account.email !== "") return addressIsFixed();
      const { data: email, error } = emailAddress.safeParse(typed);
      if (error) return authError(400, "validation_failed", error.issues[0]?.message ?? "invalid format");
      const proof = await parts.reauthentication.prove(order);
      if ("refusal" in proof) {
        const { status, code, message } = proof.refusal;
        return authError(status, code, message);
      }
      const spent = await takeMail(account.id, email);
      if (spent) return spent;
      const tokenHash = randomBytes(32).toString("hex");
      const metadata = await keep(proof, bearer, { email, tokenHash });
      if (metadata === undefined) return addressIsFixed();
      parts.background.run(async () => {
        if (await accounts.findByEmail(email)) return;
        await parts.sendMail({ kind: "email_change", to: email, tokenHash, redirectTo, metadata });
      });
      return undefined;
    },

    /** The link proves the address and opens no session: another person's mailbox must not open the account. */
    verify: async (tokenHash: string): Promise<Response> => {
      const outcome = await inTransaction(sql, async (db): Promise<UserJson | "expired" | "taken"> => {
        const at = new Date(now());
        await db`
          select private.lock_person(id) from auth.users where email_change_token_new = ${hashOf(tokenHash)}`;
        const [link] = await db<{ id: string; email: string; isTaken: boolean }[]>`
          update auth.users set email_change_token_new = null
          where email_change_token_new = ${hashOf(tokenHash)} and email_change_sent_at > ${new Date(now() - LINK_MS)}
            and coalesce(email, '') = '' and (banned_until is null or banned_until <= ${at})
          returning id, email_change as email,
            exists (select from auth.users as other where other.email = users.email_change) as "isTaken"`;
        if (!link) return "expired";
        const { id, email, isTaken } = link;
        if (isTaken) {
          await db`update auth.users set email_change = null where id = ${id}`;
          return "taken";
        }
        const identity = { sub: id, email, email_verified: true, phone_verified: false };
        await db`
          insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
          values (${id}, 'email', ${id}, ${jsonOf(db, identity)}, ${at}, ${at})
          on conflict (provider_id, provider) do update set identity_data = excluded.identity_data`;
        const [row] = await db<{ user: UserJson }[]>`
          update auth.users set email = ${email}, email_confirmed_at = ${at}, email_change = null, updated_at = ${at},
            raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers', (
              select jsonb_agg(distinct provider) from auth.identities where user_id = ${id}
            ))
          where id = ${id} returning ${userJson(db)} as user`;
        return row ? row.user : "expired";
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
