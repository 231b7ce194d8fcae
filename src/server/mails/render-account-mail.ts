import { escapeHtml } from "#core/escape-html.ts";
import { mailLayout } from "./mail-layout.ts";
import { type MailLanguage, mailTexts, prefixOf } from "./mail-texts.ts";
import { nameOf } from "./render-auth-mail.ts";

export type AccountMail = { language: MailLanguage; siteUrl: string; fullName: string | null } & (
  | { kind: "password-changed" | "account-deleted" }
  | { kind: "chat-connected"; chatId: string; chatTitle: string | null }
);

/** The mail that tells a person what was done to their account, in their language. */
export function renderAccountMail(mail: AccountMail): { subject: string; html: string; text: string } {
  const texts = mailTexts[mail.language];
  const { signature, fallback } = texts.common;
  const { subject, preheader, heading, notYou } = wordsOf(mail);
  const name = nameOf(mail.fullName);
  const greeting = name
    ? texts.common.greetingWithName.replaceAll("{{name}}", () => name)
    : texts.common.greeting;
  const body = bodyOf(mail);
  const link = linkOf(mail);
  return {
    subject,
    html: mailLayout({
      language: mail.language,
      subject: escapeHtml(subject),
      preheader: escapeHtml(preheader),
      heading: escapeHtml(heading),
      greeting: escapeHtml(greeting),
      body: escapeHtml(body),
      ...(link && {
        link: {
          button: escapeHtml(link.button),
          url: escapeHtml(link.url),
          fallback: escapeHtml(fallback),
        },
      }),
      notYou: escapeHtml(notYou),
      signature: escapeHtml(signature),
    }),
    text: [
      greeting,
      body,
      ...(link ? [`${link.textLink}\n${link.url}`] : []),
      notYou,
      `-- \n${signature}`,
    ].join("\n\n"),
  };
}

function wordsOf({ kind, language }: AccountMail) {
  const { passwordChanged, chatConnected, accountDeleted } = mailTexts[language];
  return {
    "password-changed": passwordChanged,
    "chat-connected": chatConnected,
    "account-deleted": accountDeleted,
  }[kind];
}

/** A chat's owner chose its title: a sentence or a link in it would reach the reader under our letterhead. */
function bodyOf(mail: AccountMail): string {
  if (mail.kind !== "chat-connected") return wordsOf(mail).body;
  const { body, bodyUnnamed } = mailTexts[mail.language].chatConnected;
  const title = nameOf(mail.chatTitle);
  return title
    ? body.replaceAll("{{chat}}", () => title)
    : bodyUnnamed.replaceAll("{{digits}}", () => mail.chatId.slice(-4));
}

function linkOf(mail: AccountMail) {
  const { passwordChanged, chatConnected } = mailTexts[mail.language];
  if (mail.kind === "account-deleted") return undefined;
  const isChat = mail.kind === "chat-connected";
  const { button, textLink } = isChat ? chatConnected : passwordChanged;
  const path = `${prefixOf(mail.language)}${isChat ? "/filter-settings" : "/profile"}`;
  return { button, textLink, url: new URL(path, mail.siteUrl).href };
}
