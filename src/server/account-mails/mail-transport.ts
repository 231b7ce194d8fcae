import { createTransport, type Transporter } from "nodemailer";

/** nodemailer ignores options next to a URL, so they become parameters of the URL. */
export function createMailTransport(smtpUrl: string, { timeoutMs }: { timeoutMs: number }): Transporter {
  const url = new URL(smtpUrl);
  const options = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
    // Mails contain only our own content; nodemailer must not read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  for (const [name, value] of Object.entries(options)) url.searchParams.set(name, String(value));
  return createTransport(url.href);
}
