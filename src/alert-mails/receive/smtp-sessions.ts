// Counts what the clients of the SMTP server use, and refuses what exceeds the limits.
import type { SMTPServerSession } from "smtp-server";
import { clientAddress } from "#platform/limits/client-address.ts";
import { createRateLimiter, type RateLimit } from "#platform/limits/rate-limit.ts";

const HOUR_MS = 3_600_000;

/**
 * A client over a limit gets a temporary failure (4xx), after which mail servers retry for days. The counters are in the
 * memory of this process.
 */
export interface SmtpLimits {
  readonly connections: number;
  readonly connectionsOfAnAddress: number;
  /** For connections and for mails of one network address: ten times what a whole portal sends. */
  readonly fromAnAddress: RateLimit;
  /** Mails for one user. Broad searches in two cities bring fifty a day. */
  readonly forAPerson: RateLimit;
  readonly commandsOfAConnection: number;
  readonly mailsOfAConnection: number;
  readonly recipientsOfAMail: number;
  /** Unknown recipients before the connection is closed. */
  readonly wrongRecipients: number;
  /** Of all mails being received, together. */
  readonly bytesInFlight: number;
  /** Timeouts for an idle client, for one mail and for the whole connection. */
  readonly silenceMs: number;
  readonly mailMs: number;
  readonly connectionMs: number;
  /** How long mails being received may take when the server stops. */
  readonly drainMs: number;
}

export const SMTP_LIMITS: SmtpLimits = {
  connections: 200,
  connectionsOfAnAddress: 50,
  fromAnAddress: { perWindow: 6_000, windowMs: 60_000, burst: 1_000 },
  forAPerson: { perWindow: 600, windowMs: HOUR_MS, burst: 300 },
  commandsOfAConnection: 1_000,
  mailsOfAConnection: 100,
  recipientsOfAMail: 20,
  wrongRecipients: 10,
  bytesInFlight: 64 * 1024 * 1024,
  silenceMs: 60_000,
  mailMs: 180_000,
  connectionMs: 600_000,
  drainMs: 1_500,
};

/** The answer to a client: 4xx is temporary, 5xx is permanent. */
export class SmtpRefusal extends Error {
  override name = "SmtpRefusal";
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

interface Session {
  readonly address: string;
  readonly timer: NodeJS.Timeout;
  commands: number;
  mails: number;
  wrongRecipients: number;
  /** User ids by recipient address as written. */
  readonly people: Map<string, string>;
}

/** Tracks open sessions and applies the limits to them. */
export class SmtpSessions {
  readonly #limits: SmtpLimits;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #open = new Map<string, number>();
  readonly #connections;
  readonly #mails;
  readonly #mailsForPeople;
  /** The ids of sessions that are receiving a mail. */
  readonly receiving = new Set<string>();

  constructor(limits: SmtpLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#connections = createRateLimiter(limits.fromAnAddress);
    this.#mails = createRateLimiter(limits.fromAnAddress);
    this.#mailsForPeople = createRateLimiter(limits.forAPerson);
  }

  begin({ id, remoteAddress }: SMTPServerSession, end: (why: string) => void): void {
    const address = clientAddress({ socketAddress: remoteAddress });
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#limits.connectionsOfAnAddress) throw new SmtpRefusal(421, "4.7.0 Too many connections");
    if (!this.#connections.take(address, this.#now()))
      throw new SmtpRefusal(421, "4.7.0 Too many connections, please try again later");
    this.#open.set(address, open + 1);
    const timer = setTimeout(() => end("Connection open too long"), this.#limits.connectionMs);
    this.#sessions.set(id, { address, timer, commands: 0, mails: 0, wrongRecipients: 0, people: new Map() });
  }

  end(id: string): void {
    const session = this.#sessions.get(id);
    this.receiving.delete(id);
    if (!session) return;
    clearTimeout(session.timer);
    this.#sessions.delete(id);
    const open = (this.#open.get(session.address) ?? 1) - 1;
    if (open > 0) this.#open.set(session.address, open);
    else this.#open.delete(session.address);
  }

  /** Returns true if the limit is exceeded. */
  countCommand(id: string): boolean {
    const session = this.#sessions.get(id);
    if (!session) return false;
    session.commands += 1;
    return session.commands > this.#limits.commandsOfAConnection;
  }

  beginMail(id: string): void {
    const session = this.#require(id);
    session.mails += 1;
    session.people.clear();
    if (session.mails > this.#limits.mailsOfAConnection)
      throw new SmtpRefusal(421, "4.7.0 Please connect again");
    if (!this.#mails.take(session.address, this.#now()))
      throw new SmtpRefusal(451, "4.7.0 Too many mails, please try again later");
  }

  countWrongRecipient(id: string): boolean {
    const session = this.#require(id);
    session.wrongRecipients += 1;
    return session.wrongRecipients > this.#limits.wrongRecipients;
  }

  addRecipient(id: string, address: string, userId: string): void {
    if (this.#mailsForPeople.isSpent(userId, this.#now()))
      throw new SmtpRefusal(451, "4.7.0 Too many mails for this address, please try again later");
    this.#require(id).people.set(address, userId);
  }

  /** The recipients' user ids, and counts the mail for them. Sorted, to avoid deadlocks between equal mails. */
  peopleOf({ id, envelope }: SMTPServerSession): string[] {
    const { people } = this.#require(id);
    const userIds = new Set<string>();
    for (const { address } of envelope.rcptTo) {
      const userId = people.get(address);
      if (userId === undefined) throw new SmtpRefusal(451, "4.3.0 Please try again later");
      userIds.add(userId);
    }
    for (const userId of userIds) this.#mailsForPeople.take(userId, this.#now());
    return [...userIds].sort();
  }

  #require(id: string): Session {
    const session = this.#sessions.get(id);
    if (!session) throw new SmtpRefusal(421, "4.3.2 Session is closed");
    return session;
  }
}
