// One-time links in mails: to set a new password, to prove the address of a sign-up, and to prove one that is added. Only
// hashes are stored. Of each kind the latest three work, so that nobody ends a link by asking for another; the use of one
// ends the others.
import { randomBytes } from "node:crypto";
import type { Db } from "#platform/database/json-parameter.ts";
import { hashOf } from "./sessions.ts";

/** In GoTrue's terms, as `type` of its verification. */
export type LinkKind = "recovery" | "signup" | "email_change";

const HOUR_MS = 3_600_000;
const LASTS_MS = { recovery: HOUR_MS, signup: 7 * 24 * HOUR_MS, email_change: HOUR_MS } as const;
const LATEST = 3;

/** Returns the token, which only the mail may contain. */
export async function addMailedLink(
  db: Db,
  link: { kind: LinkKind; userId: string; email: string; nowMs: number },
): Promise<string> {
  const { kind, userId, email, nowMs } = link;
  const token = randomBytes(32).toString("hex");
  await db`
    with replaced as (
      delete from private.mailed_links where user_id = ${userId} and kind = ${kind} and (email <> ${email} or token_hash in (
        select token_hash from private.mailed_links where user_id = ${userId} and kind = ${kind}
        order by email = ${email} desc, sent_at desc offset ${LATEST - 1}
      ))
    )
    insert into private.mailed_links (token_hash, user_id, kind, email, sent_at, expires_at)
    values (${hashOf(token)}, ${userId}, ${kind}, ${email}, ${new Date(nowMs)}, ${new Date(nowMs + LASTS_MS[kind])})`;
  return token;
}

/** Uses the link, and locks its account for the rest of the transaction. Undefined for a link that does not work. */
export async function takeMailedLink(
  db: Db,
  link: { kind: LinkKind; token: string; nowMs: number },
): Promise<{ userId: string; email: string } | undefined> {
  const [row] = await db<{ userId: string; email: string }[]>`
    select person as "userId", address as email
    from private.take_mailed_link(${hashOf(link.token)}, ${link.kind}, ${new Date(link.nowMs)})
    where person is not null`;
  return row;
}

export async function deleteOldLinks(db: Db, nowMs: number): Promise<void> {
  await db`delete from private.mailed_links where expires_at <= ${new Date(nowMs)}`;
}
