import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

export type MailOutcome =
  | "alert"
  | "digest"
  | "forwarding-question"
  | "not-an-alert"
  | "unreadable"
  | "not-signed"
  | "waiting-for-key";

export interface MailAddress {
  /** What stands before the @. */
  token: string;
  createdAt: Date;
  /** A mail provider's question whether mail may be forwarded here. */
  question: { code: string | null; link: string | null; askedAt: Date } | null;
}

export interface ReceivedMail {
  id: string;
  receivedAt: Date;
  outcome: MailOutcome;
  why: string | null;
  portal: string | null;
  listingCount: number;
  newCount: number;
}

export interface AlertMails {
  /** Null until the person asks for one. */
  address: MailAddress | null;
  /** The newest first, a few. */
  mails: ReceivedMail[];
  /** The newest that held listings may be older than those. */
  lastAlertAt: Date | null;
}

const SHOWN_MAILS = 5;
const COLUMNS = "id, received_at, outcome, why, portal, listing_count, new_count";

export async function fetchAlertMails(userId: string): Promise<AlertMails> {
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

/** The first address, or another in its place. */
export async function renewMailAddress(): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.rpc("renew_mail_address"));
}

function addressOf(row: {
  token: string;
  created_at: string;
  forwarding_code: string | null;
  forwarding_link: string | null;
  forwarding_asked_at: string | null;
}): MailAddress {
  const { forwarding_code: code, forwarding_link: link, forwarding_asked_at: askedAt } = row;
  return {
    token: row.token,
    createdAt: new Date(row.created_at),
    question: askedAt === null ? null : { code, link, askedAt: new Date(askedAt) },
  };
}

function mailOf(row: {
  id: string;
  received_at: string;
  outcome: string;
  why: string | null;
  portal: string | null;
  listing_count: number;
  new_count: number;
}): ReceivedMail {
  return {
    id: row.id,
    receivedAt: new Date(row.received_at),
    // The column's check names these very words.
    outcome: row.outcome as MailOutcome,
    why: row.why,
    portal: row.portal,
    listingCount: row.listing_count,
    newCount: row.new_count,
  };
}
