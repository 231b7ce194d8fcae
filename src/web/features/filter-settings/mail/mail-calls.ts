import { queryOptions } from "@tanstack/react-query";
import { every } from "#web/lib/backend/polling.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { ReceivedMailOutcome, Tables } from "#web/lib/backend/typed-database.ts";

export interface MailAddress {
  /** The part before the @. */
  token: string;
  createdAt: Date;
  /** The mail provider's request to confirm forwarding to this address. */
  question: { code: string | null; link: string | null; askedAt: Date } | null;
}

export interface ReceivedMail {
  id: string;
  receivedAt: Date;
  outcome: ReceivedMailOutcome;
  why: string | null;
  portal: string | null;
  listingCount: number;
  newCount: number;
}

export interface AlertMails {
  /** Null until the person creates one. */
  address: MailAddress | null;
  /** The latest few, newest first. */
  mails: ReceivedMail[];
  /** The latest mail with listings, which may be older than `mails`. */
  lastAlertAt: Date | null;
}

const SHOWN_MAILS = 5;
const COLUMNS = "id, received_at, outcome, why, portal, listing_count, new_count";

/** In case a network blocks realtime. */
const RELOAD_MS = 20_000;

export function alertMailsQuery(userId: string, isPolled: boolean) {
  return queryOptions({
    queryKey: queryKeys.alertMails(userId),
    queryFn: () => fetchAlertMails(userId),
    refetchInterval: every(isPolled ? RELOAD_MS : false),
  });
}

async function fetchAlertMails(userId: string): Promise<AlertMails> {
  const supabase = await loadSupabase();
  const newestMails = () =>
    supabase
      .from("received_mails")
      .select(COLUMNS)
      .eq("user_id", userId)
      .order("received_at", { ascending: false });
  const [address, mails, alerts] = await Promise.all([
    supabase
      .from("mail_addresses")
      .select("token, created_at, forwarding_code, forwarding_link, forwarding_asked_at")
      .eq("user_id", userId)
      .maybeSingle(),
    newestMails().limit(SHOWN_MAILS),
    newestMails().in("outcome", ["alert", "digest"]).limit(1),
  ]);
  const row = dataOf(address);
  const [lastAlert] = dataOf(alerts);
  return {
    address: row && addressOf(row),
    mails: dataOf(mails).map(mailOf),
    lastAlertAt: lastAlert ? new Date(lastAlert.received_at) : null,
  };
}

/** Creates the address, or replaces it by another. */
export async function renewMailAddress(): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("renew_mail_address"));
}

/** Mails the person the steps to follow on a computer. */
export async function mailAlertSteps(): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("mail_alert_steps"));
}

function addressOf(row: Omit<Tables<"mail_addresses">, "user_id">): MailAddress {
  const { forwarding_code: code, forwarding_link: link, forwarding_asked_at: askedAt } = row;
  return {
    token: row.token,
    createdAt: new Date(row.created_at),
    question: askedAt === null ? null : { code, link, askedAt: new Date(askedAt) },
  };
}

function mailOf(row: Omit<Tables<"received_mails">, "user_id">): ReceivedMail {
  return {
    id: row.id,
    receivedAt: new Date(row.received_at),
    outcome: row.outcome,
    why: row.why,
    portal: row.portal,
    listingCount: row.listing_count,
    newCount: row.new_count,
  };
}
