// The connection settings of a mailbox.
import { isIPv4 } from "node:net";
import { ImapFlow } from "imapflow";
import { MAX_MAIL_BYTES } from "../read/read-alert-mail.ts";

/** Servers may end an IDLE after 30 minutes (RFC 2177). */
const IDLE_MS = 20 * 60_000;
/** How long the connection is unused before IDLE starts. */
const IDLE_AFTER_MS = 250;

export function createMailboxClient(mailboxUrl: string): ImapFlow {
  const url = new URL(mailboxUrl);
  const isSecure = url.protocol === "imaps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const client = new ImapFlow({
    host,
    port: Number(url.port) || (isSecure ? 993 : 143),
    secure: isSecure,
    // Send the password without TLS only to this machine.
    ...(!isSecure && { doSTARTTLS: !isLoopback(host) }),
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    logger: false,
    disableCompression: true,
    autoIdleDelay: IDLE_AFTER_MS,
    maxIdleTime: IDLE_MS,
    connectionTimeout: 30_000,
    greetingTimeout: 15_000,
    socketTimeout: 120_000,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: MAX_MAIL_BYTES * 2,
    maxResponseSize: MAX_MAIL_BYTES * 3,
  });
  // Running commands fail with the error, and later ones find the connection closed.
  client.on("error", () => {});
  return client;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
