import { createTransport } from "nodemailer";

type Mail = { to: string; subject: string; text?: string; html?: string };

export type Mailer = { send: (mail: Mail) => Promise<void>; close: () => void };

export function createMailer(options: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport({
    url: options.smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // A mail is made of our own words: nothing in it may point nodemailer at a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (mail) => {
      await transport.sendMail({ from: options.from, ...mail });
    },
    close: () => transport.close(),
  };
}
