import type { SendAuthMail } from "#backend/auth/auth-mail.ts";
import type { Mailer } from "../mailer.ts";
import { isMailLanguage, type MailLanguage } from "./mail-texts.ts";
import { renderAuthMail } from "./render-auth-mail.ts";

/** Writes the auth service's mails in our words and the person's language, and sends them. */
export function createAuthMailSender(options: { mailer: Mailer; siteUrl: string }): SendAuthMail {
  return async (mail) => {
    const content = renderAuthMail({
      kind: mail.kind,
      language: mailLanguage(mail),
      siteUrl: options.siteUrl,
      tokenHash: mail.tokenHash,
      fullName: mail.metadata.full_name,
    });
    await options.mailer.send({ to: mail.to, ...content });
  };
}

/** The language of the page that asked for the mail; else the one the person signed up in; else English. */
export function mailLanguage(mail: {
  redirectTo: string | undefined;
  metadata: Record<string, unknown>;
}): MailLanguage {
  if (mail.redirectTo !== undefined) {
    const [, first] = new URL(mail.redirectTo).pathname.split("/");
    return isMailLanguage(first) ? first : "en";
  }
  return isMailLanguage(mail.metadata.language) ? mail.metadata.language : "en";
}
