// The door for everyone's alert mails: takes what is for a known address, says yes when it is kept, and relays nothing.
// What it logs names neither addresses nor senders.
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { Sql } from "postgres";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { Logger } from "#core/ports/logger.ts";
import type { Jobs } from "#platform/database/jobs.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { BusyError, createSemaphore } from "#platform/limits/semaphore.ts";
import { withTimeout } from "#platform/timing.ts";
import { findMailRecipient } from "#store/mails/mail-addresses.ts";
import { MAX_MAIL_BYTES } from "../read/read-alert-mail.ts";
import { collectMail, createByteBudget } from "./collect-mail.ts";
import { keepMails, MailboxFullError } from "./keep-mails.ts";
import { tokenOfRecipient } from "./recipient-token.ts";
import { SMTP_LIMITS, type SmtpLimits } from "./smtp-limits.ts";
import { SmtpRefusal, SmtpSessions } from "./smtp-sessions.ts";

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
}

export interface SmtpServer {
  readonly port: number;
  /** Takes no more connections; a mail that is coming in gets a moment. */
  stop(): Promise<void>;
}

const QUERIES = { atOnce: 4, waiting: 400, waitMs: 5_000 };
const ANSWER_MS = 10_000;
/** After this time no answer comes any more: the driver has lost its connection. */
const LOST_MS = 60_000;
/** The same answer for whoever is not here and whatever is not ours: nobody learns which. */
const NOBODY = "5.1.1 No such address here";

export async function startSmtpServer(options: SmtpServerOptions): Promise<SmtpServer> {
  const { domain, tls, logger } = options;
  const limits = { ...SMTP_LIMITS, ...options.limits };
  const visits = new SmtpSessions(limits, options.now);
  const take = createTakers(options, limits, visits);
  const sayRefusal = createRefusalLog(logger, options.now);
  const answer = (reply: (error: Error | null) => void) => (error?: unknown) => {
    const refusal = error === undefined ? null : refusalOf(error);
    if (refusal) sayRefusal(refusal);
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
      if (visits.countCommand(id)) hangUp(server, id, "Too many commands");
    }),
    onConnect: (session, reply) => {
      const end = (why: string) => hangUp(server, session.id, why);
      answerSync(answer(reply), () => visits.begin(session, end));
    },
    onMailFrom: (_address, session, reply) => answerSync(answer(reply), () => visits.beginMail(session.id)),
    onRcptTo: ({ address }, session, reply) => {
      const done = answer(reply);
      take.recipient(address, session).then(() => done(), done);
    },
    onData: (stream, session, reply) => {
      const done = answer(reply);
      const deadline = setTimeout(() => hangUp(server, session.id, "Too slow"), limits.mailMs);
      visits.receiving.add(session.id);
      // Keeping it has times of its own.
      stream.once("end", () => clearTimeout(deadline));
      const end = () => {
        clearTimeout(deadline);
        visits.receiving.delete(session.id);
      };
      take
        .mail(stream, session)
        .finally(end)
        .then(() => done(), done);
    },
    onClose: (session) => visits.end(session.id),
  });
  const sockets = new Set<Socket>();
  server.server.maxConnections = limits.connections * 2;
  server.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(options.port, options.host);
  await once(server.server, "listening");
  // A client that breaks off is its own trouble.
  server.on("error", () => {});
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      for (const { id } of server.connections)
        if (!visits.receiving.has(id)) hangUp(server, id, "Closing for now");
      await new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
    },
  };
}

function createTakers(options: SmtpServerOptions, limits: SmtpLimits, visits: SmtpSessions) {
  const { sql, domain, now } = options;
  const query = createQueryLimit();
  const budget = createByteBudget(limits.bytesInFlight);
  return {
    recipient: async (address: string, session: SMTPServerSession) => {
      const token = tokenOfRecipient(address, domain);
      const userId = token && (await query(() => findMailRecipient(sql, token, new Date(now()))));
      if (!userId) {
        if (visits.countWrongRecipient(session.id))
          throw new SmtpRefusal(421, "4.7.0 Too many wrong addresses");
        throw new SmtpRefusal(550, NOBODY);
      }
      visits.addRecipient(session.id, address, userId);
    },
    mail: async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const { raw, release } = await collectMail(stream, { maxBytes: MAX_MAIL_BYTES, budget });
      try {
        // The server itself refuses what is too large, for good.
        if (stream.sizeExceeded) throw new SmtpRefusal(552, "5.3.4 Too large");
        if (!raw) throw new BusyError("memory is short");
        const receivedAt = new Date(now());
        const userIds = visits.peopleOf(session);
        await query(() =>
          keepMails(
            options,
            userIds.map((userId) => ({ userId, raw, receivedAt })),
          ),
        );
      } finally {
        release();
      }
    },
  };
}

/** Runs a few queries for strangers' mails at a time, and gives up on a query that takes too long. */
function createQueryLimit(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const places = createSemaphore(QUERIES);
  return async (run) => {
    const leave = await places.enter();
    const result = run();
    // A query that hangs keeps its place, or hanging queries would pile up without limit.
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

/** Whatever is our own trouble is a reason to come again, never one to give up. */
function refusalOf(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  const cause = error instanceof BusyError ? error.cause : error;
  if (cause instanceof MailboxFullError) return new SmtpRefusal(452, "4.2.2 Too many mails wait here");
  return new SmtpRefusal(451, "4.3.0 Cannot keep it now, please come again");
}

/** A flood is a line a second, not a full disk. */
function createRefusalLog(logger: Logger, now: () => number): (refusal: SmtpRefusal) => void {
  const lines = createRateLimiter({ perWindow: 60, windowMs: 60_000, burst: 60 });
  let unsaid = 0;
  return ({ responseCode, message }) => {
    if (!lines.take("", now())) {
      unsaid += 1;
      return;
    }
    logger.warn({ code: responseCode, why: message, unsaid }, "an incoming mail was refused");
    unsaid = 0;
  };
}

function hangUp(server: SMTPServer, id: string, why: string): void {
  for (const connection of server.connections) if (connection.id === id) connection.send(421, `4.7.0 ${why}`);
}

/** The server tells each command to its log, and nowhere else. Nothing of it is written down: it names recipients. */
function listenToCommands(onCommand: (sessionId: string) => void) {
  const ignore = () => {};
  const debug = (entry: { tnx?: string; cid?: string }) => {
    if (entry.tnx === "command" && entry.cid !== undefined) onCommand(entry.cid);
  };
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore };
}
