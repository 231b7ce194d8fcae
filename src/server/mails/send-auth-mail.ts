import type { SendAuthMail } from "#backend/guard/auth-mail.ts";
import type { Mailer } from "../mailer.ts";
import { mailLanguage } from "./mail-language.ts";
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
