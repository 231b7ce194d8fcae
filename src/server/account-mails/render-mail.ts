import type { Browser } from "#core/browser/browser-of.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { Health } from "#core/health/health-of.ts";
import { type Language, localizedPath } from "#core/languages.ts";
import { browserWords } from "#text/browser-words.ts";
import { healthWords } from "#text/health-words.ts";
import { formatMoment } from "#text/moments.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import type { Operator } from "../monitoring/operator-settings.ts";
import { mailLayout } from "./mail-layout.ts";

/** Mails with a one-time link: password reset, first sign-in, and an address to be added to an account without one. */
export type AuthMailKind = "recovery" | "confirmation" | "email_change";

/** One of these, or a notice about a change to the account. */
export type Mail = { language: Language; fullName: unknown } & (
  | { kind: AuthMailKind; tokenHash: string }
  /** `isSetupHeld`: an earlier setup waits for the person's confirmation. */
  | { kind: "password-changed"; isSetupHeld: boolean }
  | { kind: "account-deleted" }
  | { kind: "chat-connected"; chatId: string; chatTitle: string | null }
  | { kind: "nobody-hears"; health: Health; now: Date }
  | { kind: "new-browser"; browser: Browser; signedInAt: Date }
  | { kind: "alert-mail-steps" | "telegram-linked" | "telegram-unlinked" | "accounts-joined" }
);

export type RenderedMail = { subject: string; html: string; text: string };

export const mailTexts = translatorOf("mail");
const accountTexts = translatorOf("account");

/** The token types that the auth service expects in links. */
export const TOKEN_TYPES = {
  recovery: "recovery",
  confirmation: "signup",
  email_change: "email_change",
} as const;

export const LINK_PATHS = {
  recovery: "/reset-password",
  confirmation: "/",
  email_change: "/confirm-email",
  "password-changed": "/profile",
  "chat-connected": "/filter-settings",
  "nobody-hears": "/filter-settings",
  "new-browser": "/profile",
  "alert-mail-steps": "/filter-settings",
  "telegram-linked": "/profile",
  "telegram-unlinked": "/profile",
  "accounts-joined": "/profile",
} as const;

export function renderMail(mail: Mail, siteUrl: string, operator?: Operator): RenderedMail {
  const t = mailTexts(mail.language);
  const name = recipientName(mail.fullName);
  const link = linkOf(mail, siteUrl);
  const words = {
    subject: t(`${mail.kind}.subject`),
    preheader: t(`${mail.kind}.preheader`),
    heading: t(`${mail.kind}.heading`),
    greeting: name ? t("common.greetingWithName", { name }) : t("common.greeting"),
    body: bodyOf(mail),
    ...("tokenHash" in mail && { expiry: t("common.expiry") }),
    notYou: t(`${mail.kind}.notYou`),
    signature: t("common.signature"),
    ...(operator && { operator: `${operator.name}, ${operator.address}, ${operator.email}` }),
  };
  const { greeting, body, expiry = "", notYou, signature } = words;
  return {
    subject: words.subject,
    html: mailLayout({
      language: mail.language,
      ...escaped(words),
      ...(link && { link: escaped(link) }),
    }),
    text: [
      greeting,
      body,
      link ? `${link.textLink}\n${link.url}` : "",
      expiry,
      notYou,
      `-- \n${signature}${words.operator ? `\n${words.operator}` : ""}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  };
}

function escaped<Words extends Record<string, string>>(words: Words): Words {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, escapeHtml(word)])) as Words;
}

/** A chat's owner chose its title: a sentence or link in it must not appear in a mail of ours. */
function bodyOf(mail: Mail): string {
  const t = mailTexts(mail.language);
  if (mail.kind === "nobody-hears") {
    const { language, now } = mail;
    const { title, text = "" } = healthWords(mail.health, { ...wordsOf("health", language), now });
    return `${t("nobody-hears.body")} ${title}. ${text}`;
  }
  if (mail.kind === "new-browser") {
    const style = { timeZone: "Europe/Madrid", dateStyle: "long", timeStyle: "short" } as const;
    return t("new-browser.body", {
      device: browserWords(mail.browser, accountTexts(mail.language)),
      time: formatMoment(mail.signedInAt, mail.language, style),
    });
  }
  if (mail.kind === "password-changed" && mail.isSetupHeld) {
    return `${t("password-changed.body")} ${t("password-changed.held")}`;
  }
  if (mail.kind !== "chat-connected") return t(`${mail.kind}.body`);
  const chat = recipientName(mail.chatTitle);
  return chat
    ? t("chat-connected.body", { chat })
    : t("chat-connected.bodyUnnamed", { digits: mail.chatId.slice(-4) });
}

/** The token is in the fragment, which is not sent to servers or logged. */
function linkOf(mail: Mail, siteUrl: string) {
  if (mail.kind === "account-deleted") return undefined;
  const t = mailTexts(mail.language);
  const url = new URL(localizedPath(LINK_PATHS[mail.kind], mail.language), siteUrl);
  if (mail.kind === "new-browser") url.hash = "sessions";
  // The part of the page that opens.
  if (mail.kind === "alert-mail-steps") url.hash = "alert-mails";
  if ("tokenHash" in mail) url.hash = `token_hash=${mail.tokenHash}&type=${TOKEN_TYPES[mail.kind]}`;
  return {
    url: url.href,
    button: t(`${mail.kind}.button`),
    textLink: t(`${mail.kind}.textLink`),
    fallback: t("common.fallback"),
  };
}

/**
 * A name for the greeting, if it looks like one. Anyone can sign up with anyone's address, so a sentence or link in
 * place of a name must not reach the address's owner in a mail of ours.
 */
export function recipientName(fullName: unknown): string | undefined {
  if (typeof fullName !== "string") return undefined;
  const name = fullName.trim();
  return /^[\p{L}\p{M}'’. -]{1,40}$/u.test(name) && !/\.[^ ]/.test(name) ? name : undefined;
}
