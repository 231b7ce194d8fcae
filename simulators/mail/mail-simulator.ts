// A mail server that delivers nothing: it receives mail over SMTP and keeps the latest mails for the console and tests.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

export type CaughtMail = {
  id: string;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** By name, in lower case. */
  headers: Record<string, string>;
};

export type MailSimulator = {
  smtpUrl: string;
  /** Newest first. */
  mails: () => CaughtMail[];
  onMail: (listener: (mail: CaughtMail) => void) => () => void;
  /** Refuses all mails temporarily. */
  setDown: (isDown: boolean) => void;
  /** What must happen before a received mail is acknowledged. */
  beforeAnswer: (wait: (mail: CaughtMail) => Promise<void>) => void;
  /** Refuses this address as unknown. */
  refuse: (address: string) => void;
  /** Takes up mails of an earlier run. */
  restore: (mails: readonly CaughtMail[]) => void;
  stop: () => Promise<void>;
};

const KEPT = 200;

export async function startMailSimulator(): Promise<MailSimulator> {
  const mails: CaughtMail[] = [];
  const listeners = new Set<(mail: CaughtMail) => void>();
  const refused = new Set<string>();
  let isDown = false;
  let beforeAnswer = async (_mail: CaughtMail) => {};
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    size: 5 * 1024 * 1024,
    onConnect: (_session, done) => done(isDown ? refusal("421 Service not available") : null),
    onRcptTo: ({ address }, _session, done) =>
      done(refused.has(address) ? refusal("5.1.1 No such mailbox", 550) : null),
    onData: (stream, session, done) => {
      void readMail(stream, session.envelope).then(async (mail) => {
        mails.unshift(mail);
        mails.splice(KEPT);
        for (const listener of listeners) listener(mail);
        await beforeAnswer(mail);
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  server.on("error", () => {
    // Ignore clients that disconnect.
  });
  const address = server.server.address() as AddressInfo;
  return {
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    mails: () => mails,
    onMail: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setDown: (value) => {
      isDown = value;
    },
    beforeAnswer: (wait) => {
      beforeAnswer = wait;
    },
    refuse: (address) => refused.add(address),
    restore: (kept) => mails.splice(0, mails.length, ...kept),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(message: string, responseCode = 421): Error {
  return Object.assign(new Error(message), { responseCode });
}

type Envelope = { mailFrom: false | { address: string }; rcptTo: { address: string }[] };

async function readMail(stream: AsyncIterable<Buffer>, envelope: Envelope): Promise<CaughtMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const mail = await PostalMime.parse(Buffer.concat(chunks));
  return {
    id: randomUUID(),
    receivedAt: new Date().toISOString(),
    from: mail.from?.address ?? (envelope.mailFrom ? envelope.mailFrom.address : ""),
    to: envelope.rcptTo.map((recipient) => recipient.address),
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}
