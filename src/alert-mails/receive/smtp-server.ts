// The SMTP server for alert mails. It accepts mails to known addresses, acknowledges them when they are stored and relays
// nothing. It logs neither addresses nor senders.
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { domainToASCII } from "node:url";
import type { Sql, TransactionSql } from "postgres";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { BusyError, createSemaphore } from "#platform/limits/semaphore.ts";
import { withTimeout } from "#platform/timing.ts";
import { MAX_MAIL_BYTES } from "../read/read-alert-mail.ts";
import { areStillAddresses, findMailRecipient } from "../rows/mail-addresses.ts";
import { collectMail, createByteBudget } from "./collect-mail.ts";
import { keepMails, MailboxFullError } from "./keep-mails.ts";
import { SMTP_LIMITS, type SmtpLimits, SmtpRefusal, SmtpSessions } from "./smtp-sessions.ts";

export interface SmtpServerOptions {
  readonly sql: Sql;
  readonly jobs: Jobs;
  readonly host: string;
  readonly port: number;
  readonly domain: string;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly limits?: Partial<SmtpLimits> | undefined;
  /** Hands on what is sent to the postmaster, an address that every mail domain has (RFC 5321, 4.5.1). Without it, nobody has it. */
  readonly toPostmaster?: ((raw: Buffer) => Promise<void>) | undefined;
}

export interface SmtpServer {
  readonly port: number;
  /** Refuses new connections. Mails being received may finish within drainMs. */
  stop(): Promise<void>;
}

const QUERIES = { atOnce: 4, waiting: 400, waitMs: 5_000 };
const ANSWER_MS = 10_000;
/** After this time the driver has lost its connection, and no answer will come. */
const LOST_MS = 60_000;
/** The same answer for unknown addresses and foreign domains, so that clients cannot probe for addresses. */
/** No user has this id. */
const POSTMASTER = "postmaster";
const UNKNOWN_ADDRESS = "5.1.1 No such address here";

export async function startSmtpServer(options: SmtpServerOptions): Promise<SmtpServer> {
  const { domain, tls, logger } = options;
  const limits = { ...SMTP_LIMITS, ...options.limits };
  const sessions = new SmtpSessions(limits, options.now);
  const take = createTakers(options, limits, sessions);
  const logRefusal = createRefusalLog(logger, options.now);
  const answer = (reply: (error: Error | null) => void) => (error?: unknown) => {
    const refusal = error === undefined ? null : refusalOf(error);
    if (refusal) logRefusal(refusal);
    reply(refusal);
  };
  const server = new SMTPServer({
    name: domain,
    size: MAX_MAIL_BYTES,
    rejectOversized: true,
    maxRecipients: limits.recipientsOfAMail,
    maxClients: limits.connections,
    maxCommandLength: 2_048,
    socketTimeout: limits.silenceMs,
    closeTimeout: limits.drainMs,
    disableReverseLookup: true,
    hideSMTPUTF8: true,
    disabledCommands: ["AUTH", "XCLIENT", "XFORWARD", "WIZ", "SHELL", "KILL", ...(tls ? [] : ["STARTTLS"])],
    ...tls,
    logger: listenToCommands((id) => {
      if (sessions.countCommand(id)) hangUp(server, id, "Too many commands");
    }),
    onConnect: (session, reply) => {
      const end = (why: string) => hangUp(server, session.id, why);
      answerSync(answer(reply), () => sessions.begin(session, end));
    },
    onMailFrom: (_address, session, reply) => answerSync(answer(reply), () => sessions.beginMail(session.id)),
    onRcptTo: ({ address }, session, reply) => {
      const done = answer(reply);
      take.recipient(address, session).then(() => done(), done);
    },
    onData: (stream, session, reply) => {
      const done = answer(reply);
      const deadline = setTimeout(() => hangUp(server, session.id, "Too slow"), limits.mailMs);
      sessions.receiving.add(session.id);
      // Storing the mail has its own timeouts.
      stream.once("end", () => clearTimeout(deadline));
      const end = () => {
        clearTimeout(deadline);
        sessions.receiving.delete(session.id);
      };
      take
        .mail(stream, session)
        .finally(end)
        .then(() => done(), done);
    },
    onClose: (session) => sessions.end(session.id),
  });
  const sockets = new Set<Socket>();
  server.server.maxConnections = limits.connections * 2;
  server.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(options.port, options.host);
  await once(server.server, "listening");
  // Errors of single clients are ignored.
  server.on("error", () => {});
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      for (const { id } of server.connections)
        if (!sessions.receiving.has(id)) hangUp(server, id, "Server is shutting down");
      await new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
    },
  };
}

function createTakers(options: SmtpServerOptions, limits: SmtpLimits, sessions: SmtpSessions) {
  const { sql, domain, now, toPostmaster } = options;
  const query = createQueryLimit();
  const budget = createByteBudget(limits.bytesInFlight);
  return {
    recipient: async (address: string, session: SMTPServerSession) => {
      if (toPostmaster && localPartOf(address, domain) === POSTMASTER) {
        sessions.addRecipient(session.id, address, POSTMASTER);
        return;
      }
      const token = tokenOf(address, domain);
      const userId = token && (await query(() => findMailRecipient(sql, token, new Date(now()))));
      if (!userId) {
        if (sessions.countWrongRecipient(session.id))
          throw new SmtpRefusal(421, "4.7.0 Too many wrong addresses");
        throw new SmtpRefusal(550, UNKNOWN_ADDRESS);
      }
      sessions.addRecipient(session.id, address, userId);
    },
    mail: async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const { raw, release } = await collectMail(stream, { maxBytes: MAX_MAIL_BYTES, budget });
      try {
        // A permanent refusal, as smtp-server itself answers to a declared size that is too large.
        if (stream.sizeExceeded) throw new SmtpRefusal(552, "5.3.4 Too large");
        if (!raw) throw new BusyError("out of memory for mails");
        const receivedAt = new Date(now());
        const recipients = sessions.peopleOf(session);
        const mails = recipients
          .filter((recipient) => recipient !== POSTMASTER)
          .map((userId) => ({ userId, raw, receivedAt }));
        const tokens = session.envelope.rcptTo.flatMap(({ address }) => tokenOf(address, domain) ?? []);
        if (mails.length > 0)
          await query(() => keepMails(options, mails, requireAddresses(tokens, receivedAt)));
        if (toPostmaster && recipients.includes(POSTMASTER)) await query(() => toPostmaster(raw));
      } finally {
        release();
      }
    },
  };
}

/**
 * A mail arrives for minutes, in which its recipient may renew the address or be suspended. Its sender tries again, and is
 * refused then.
 */
const requireAddresses = (tokens: readonly string[], now: Date) => async (db: TransactionSql) => {
  if (!(await areStillAddresses(db, tokens, now))) throw new Error("An address of the mail has ended");
};

/** Limits concurrent queries, and gives up on a query that takes too long. */
function createQueryLimit(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const places = createSemaphore(QUERIES);
  return async (run) => {
    const leave = await places.enter();
    const result = run();
    // A hanging query keeps its slot, so that hanging queries cannot pile up.
    void withTimeout(LOST_MS, result).then(leave, leave);
    try {
      return await withTimeout(ANSWER_MS, result);
    } catch (cause) {
      throw new BusyError("no answer", { cause });
    }
  };
}

function answerSync(answer: (error?: unknown) => void, check: () => void): void {
  try {
    check();
  } catch (error) {
    answer(error);
    return;
  }
  answer();
}

/** A failure on our side is always temporary (4xx), so that the client retries. */
function refusalOf(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  const cause = error instanceof BusyError ? error.cause : error;
  if (cause instanceof MailboxFullError) return new SmtpRefusal(452, "4.2.2 Mailbox is full");
  return new SmtpRefusal(451, "4.3.0 Cannot store the mail now, please try again later");
}

/** Logs at most one refusal a second, so that an attack does not fill the disk. */
function createRefusalLog(logger: Logger, now: () => number): (refusal: SmtpRefusal) => void {
  const lines = createRateLimiter({ perWindow: 60, windowMs: 60_000, burst: 60 });
  let suppressed = 0;
  return ({ responseCode, message }) => {
    if (!lines.take("", now())) {
      suppressed += 1;
      return;
    }
    logger.warn({ code: responseCode, why: message, suppressed }, "refused an incoming mail");
    suppressed = 0;
  };
}

function hangUp(server: SMTPServer, id: string, why: string): void {
  for (const connection of server.connections) if (connection.id === id) connection.send(421, `4.7.0 ${why}`);
}

/** smtp-server reports commands only to its logger. They contain recipients, so they are counted but not logged. */
function listenToCommands(onCommand: (sessionId: string) => void) {
  const ignore = () => {};
  const debug = (entry: { tnx?: string; cid?: string }) => {
    if (entry.tnx === "command" && entry.cid !== undefined) onCommand(entry.cid);
  };
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore };
}

/** What stands before the @ of an address of ours, in small letters. */
function localPartOf(address: string, domain: string): string | undefined {
  const at = address.lastIndexOf("@");
  // smtp-server passes domains in Unicode.
  if (domainToASCII(address.slice(at + 1)) !== domainToASCII(domain)) return undefined;
  return address.slice(0, at).toLowerCase();
}

/** Without a +suffix. */
function tokenOf(address: string, domain: string): string | undefined {
  return /^([0-9a-f]{32})(?:\+.*)?$/.exec(localPartOf(address, domain) ?? "")?.[1];
}
