// What the door allows. Whoever is over a limit is asked to come again (4xx), as honest senders do for days; what a limit
// holds is this process's own memory.
import type { RateLimit } from "#platform/limits/rate-limit.ts";

const HOUR_MS = 3_600_000;

export interface SmtpLimits {
  readonly connections: number;
  readonly connectionsOfAnAddress: number;
  /** Connections, and mails, that come from one network address: ten times what a whole portal sends. */
  readonly fromAnAddress: RateLimit;
  /** Mails for one person: broad searches in two cities bring fifty a day. */
  readonly forAPerson: RateLimit;
  readonly commandsOfAConnection: number;
  readonly mailsOfAConnection: number;
  readonly recipientsOfAMail: number;
  /** Recipients that are not there, until the connection is ended. */
  readonly wrongRecipients: number;
  /** Of all mails that are coming in, together. */
  readonly bytesInFlight: number;
  /** A client that says nothing, one that sends a mail byte by byte, and one that does not leave. */
  readonly silenceMs: number;
  readonly mailMs: number;
  readonly connectionMs: number;
  /** What is coming in when we are told to stop. */
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
