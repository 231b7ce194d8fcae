import type { SMTPServerSession } from "smtp-server";
import { clientAddress } from "#platform/limits/client-address.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import type { SmtpLimits } from "./smtp-limits.ts";

/** What a client is answered: 4xx come again, 5xx do not. */
export class SmtpRefusal extends Error {
  override name = "Refusal";
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

interface Visit {
  readonly address: string;
  readonly timer: NodeJS.Timeout;
  commands: number;
  mails: number;
  wrongRecipients: number;
  /** Whose the recipients of this connection are, as they were written. */
  readonly people: Map<string, string>;
}

/** Who is at the door, and how much of it they have used. */
export class SmtpSessions {
  readonly #limits: SmtpLimits;
  readonly #now: () => number;
  readonly #visits = new Map<string, Visit>();
  readonly #open = new Map<string, number>();
  readonly #connections;
  readonly #mails;
  readonly #mailsForPeople;
  /** Sessions in the middle of a mail. */
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
      throw new SmtpRefusal(421, "4.7.0 Too many connections just now");
    this.#open.set(address, open + 1);
    const timer = setTimeout(() => end("Too long"), this.#limits.connectionMs);
    this.#visits.set(id, { address, timer, commands: 0, mails: 0, wrongRecipients: 0, people: new Map() });
  }

  end(id: string): void {
    const visit = this.#visits.get(id);
    this.receiving.delete(id);
    if (!visit) return;
    clearTimeout(visit.timer);
    this.#visits.delete(id);
    const open = (this.#open.get(visit.address) ?? 1) - 1;
    if (open > 0) this.#open.set(visit.address, open);
    else this.#open.delete(visit.address);
  }

  /** Whether it was one too many. */
  countCommand(id: string): boolean {
    const visit = this.#visits.get(id);
    if (!visit) return false;
    visit.commands += 1;
    return visit.commands > this.#limits.commandsOfAConnection;
  }

  beginMail(id: string): void {
    const visit = this.#require(id);
    visit.mails += 1;
    visit.people.clear();
    if (visit.mails > this.#limits.mailsOfAConnection)
      throw new SmtpRefusal(421, "4.7.0 Please connect again");
    if (!this.#mails.take(visit.address, this.#now()))
      throw new SmtpRefusal(451, "4.7.0 Too many mails just now");
  }

  countWrongRecipient(id: string): boolean {
    const visit = this.#require(id);
    visit.wrongRecipients += 1;
    return visit.wrongRecipients > this.#limits.wrongRecipients;
  }

  addRecipient(id: string, address: string, userId: string): void {
    if (this.#mailsForPeople.isSpent(userId, this.#now()))
      throw new SmtpRefusal(451, "4.7.0 Too many mails for this address just now");
    this.#require(id).people.set(address, userId);
  }

  /** Each once, in an order that two equal mails share; from here on the mail counts for them. */
  peopleOf({ id, envelope }: SMTPServerSession): string[] {
    const { people } = this.#require(id);
    const userIds = new Set<string>();
    for (const { address } of envelope.rcptTo) {
      const userId = people.get(address);
      if (userId === undefined) throw new SmtpRefusal(451, "4.3.0 Please come again");
      userIds.add(userId);
    }
    for (const userId of userIds) this.#mailsForPeople.take(userId, this.#now());
    return [...userIds].sort();
  }

  #require(id: string): Visit {
    const visit = this.#visits.get(id);
    if (!visit) throw new SmtpRefusal(421, "4.3.2 Not here any more");
    return visit;
  }
}
