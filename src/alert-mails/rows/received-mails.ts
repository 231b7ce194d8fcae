import type { TransactionSql } from "postgres";

/** The outcome of a mail as its person sees it. */
export interface MailOutcome {
  readonly outcome:
    | "alert"
    | "digest"
    | "forwarding-question"
    | "not-an-alert"
    | "unreadable"
    | "not-signed"
    | "waiting-for-key";
  readonly why: string | null;
  readonly portal: string | null;
  readonly listingCount: number;
  readonly newCount: number;
}

const KEPT_OF_A_PERSON = 200;
const MAX_WHY = 200;

export async function recordMailOutcome(
  db: TransactionSql,
  mail: { id: string; userId: string; receivedAt: Date },
  { outcome, why, portal, listingCount, newCount }: MailOutcome,
): Promise<void> {
  await db`
    insert into public.received_mails (id, user_id, received_at, outcome, why, portal, listing_count, new_count)
    values (
      ${mail.id}, ${mail.userId}, ${mail.receivedAt}, ${outcome}, ${lineOf(why)}, ${portal}, ${listingCount}, ${newCount}
    )
    on conflict (id) do update set
      outcome = excluded.outcome, why = excluded.why, portal = excluded.portal,
      listing_count = excluded.listing_count, new_count = excluded.new_count`;
  await db`
    delete from public.received_mails where id in (
      select id from public.received_mails where user_id = ${mail.userId}
      order by received_at desc offset ${KEPT_OF_A_PERSON} limit 100
    )`;
}

/** A library's message about an untrusted mail may contain anything; a text column does not accept NUL. */
function lineOf(why: string | null): string | null {
  if (why === null) return null;
  const line = why.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, " ").toWellFormed();
  return Array.from(line).slice(0, MAX_WHY).join("");
}
