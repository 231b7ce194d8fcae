import { escapeHtml } from "#core/escape-html.ts";
import { type AuthMailKind, linkPath, linkType, textsOf } from "./auth-mail-text.ts";
import { mailLayout } from "./mail-layout.ts";
import { type MailLanguage, mailTexts, prefixOf } from "./mail-texts.ts";

export type AuthMailContent = { subject: string; html: string; text: string };

/** The mail that lets a person back in, or in for the first time, in their language. */
export function renderAuthMail(mail: {
  kind: AuthMailKind;
  language: MailLanguage;
  siteUrl: string;
  tokenHash: string;
  fullName: unknown;
}): AuthMailContent {
  const texts = textsOf(mail.kind, mailTexts[mail.language]);
  const name = nameOf(mail.fullName);
  const greeting = name ? texts.greetingWithName.replaceAll("{{name}}", () => name) : texts.greeting;
  const url = linkOf(mail);
  return {
    subject: texts.subject,
    html: mailLayout({
      language: mail.language,
      subject: escapeHtml(texts.subject),
      preheader: escapeHtml(texts.preheader),
      heading: escapeHtml(texts.heading),
      greeting: escapeHtml(greeting),
      body: escapeHtml(texts.body),
      link: {
        button: escapeHtml(texts.button),
        url: escapeHtml(url),
        fallback: escapeHtml(texts.fallback),
      },
      expiry: escapeHtml(texts.expiry),
      notYou: escapeHtml(texts.notYou),
      signature: escapeHtml(texts.signature),
    }),
    text: [
      greeting,
      texts.body,
      `${texts.textLink}\n${url}`,
      texts.expiry,
      texts.notYou,
      `-- \n${texts.signature}`,
    ].join("\n\n"),
  };
}

function linkOf(mail: Parameters<typeof renderAuthMail>[0]): string {
  const path = `${prefixOf(mail.language)}${linkPath[mail.kind]}`;
  const address = new URL(path.length > 1 ? path.replace(/\/$/, "") : path, mail.siteUrl);
  address.hash = `token_hash=${mail.tokenHash}&type=${linkType[mail.kind]}`;
  return address.href;
}

/**
 * A name to greet with, or none. Anyone can sign up with anyone's address: a sentence or a link in place of a name
 * would reach its owner under our letterhead.
 */
export function nameOf(fullName: unknown): string | undefined {
  if (typeof fullName !== "string") return undefined;
  const name = fullName.trim();
  return /^[\p{L}\p{M}'’. -]{1,40}$/u.test(name) && !/\.[^ ]/.test(name) ? name : undefined;
}
