import type { AlertListing } from "#core/alert/alert.ts";
import type { Browser } from "#core/browser/browser-of.ts";
import { escapeHtml } from "#core/escape-html.ts";
import type { Health } from "#core/health/health-of.ts";
import { type Language, localizedPath } from "#core/languages.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { browserWords } from "#text/browser-words.ts";
import { healthWords } from "#text/health-words.ts";
import { FULL, factsOf, homeLine } from "#text/home-words.ts";
import { formatPrice } from "#text/labels.ts";
import { formatMoment } from "#text/moments.ts";
import { isBlank } from "#text/one-line.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import type { Operator } from "../monitoring/operator-settings.ts";
import { mailLayout } from "./mail-layout.ts";

/** Mails with a one-time link: password reset, sign-up, and an address to be added to an account without one. */
export type AuthMailKind = "recovery" | "confirmation" | "email_change";

/** One of these, or a notice about a change to the account. */
export type Mail = { language: Language; fullName: unknown } & (
  | { kind: AuthMailKind; tokenHash: string }
  | { kind: "password-changed" | "account-deleted" | "access-ended" }
  | { kind: "chat-connected"; chatId: string; chatTitle: string | null }
  | { kind: "chats-lost"; health: Health; now: Date }
  | { kind: "new-browser"; browser: Browser; signedInAt: Date }
  | { kind: "alerts-waiting"; listings: readonly AlertListing[]; count: number; stopToken: string }
  | { kind: "alert-mail-steps" | "telegram-linked" | "telegram-unlinked" }
);

export type RenderedMail = {
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
};

export const mailTexts = translatorOf("mail");
const accountTexts = translatorOf("account");

/** The token types that the auth service expects in links. */
export const TOKEN_TYPES = {
  recovery: "recovery",
  confirmation: "signup",
  email_change: "email_change",
} as const;

/** The link of a sign-up lives for days, and on hosted Supabase as long as the project says. */
export const EXPIRY_TEXTS = {
  recovery: "common.expiry",
  confirmation: "confirmation.expiry",
  email_change: "common.expiry",
} as const;

export const LINK_PATHS = {
  recovery: "/reset-password",
  confirmation: "/confirm-email",
  email_change: "/confirm-email",
  "password-changed": "/profile",
  "access-ended": "/filter-settings",
  "chat-connected": "/filter-settings",
  "chats-lost": "/filter-settings",
  "new-browser": "/profile",
  "alert-mail-steps": "/filter-settings",
  "telegram-linked": "/profile",
  "telegram-unlinked": "/profile",
  "alerts-waiting": "/finds",
} as const;

const STOP_PATH = "/stop-mails";

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
    ...("tokenHash" in mail && { expiry: t(EXPIRY_TEXTS[mail.kind]) }),
    notYou: t(`${mail.kind}.notYou`),
    signature: t("common.signature"),
    ...(operator && { operator: `${operator.name}, ${operator.address}, ${operator.email}` }),
  };
  const { greeting, body, expiry = "", notYou, signature } = words;
  const list = listOf(mail);
  const stop = stopOf(mail, siteUrl);
  return {
    subject: words.subject,
    html: mailLayout({
      language: mail.language,
      ...escaped(words),
      ...(link && { link: escaped(link) }),
      ...(list.length > 0 && { list: list.map(escaped) }),
      ...(stop && { stop: escaped(stop) }),
    }),
    text: [
      greeting,
      body,
      ...list.map(({ title, facts, url }) => `${title}\n${facts}\n${url}`),
      link ? `${link.textLink}\n${link.url}` : "",
      expiry,
      notYou,
      stop ? `${stop.text}\n${stop.url}` : "",
      `-- \n${signature}${words.operator ? `\n${words.operator}` : ""}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    // The mail client offers a button that posts to this address (RFC 8058).
    ...(stop && {
      headers: {
        "List-Unsubscribe": `<${stop.url}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    }),
  };
}

/** The homes of the waiting alerts, as alerts describe them. */
function listOf(mail: Mail): { title: string; facts: string; url: string }[] {
  if (mail.kind !== "alerts-waiting") return [];
  const { language } = mail;
  const words = wordsOf("home", language);
  return mail.listings.map((listing) => ({
    title: homeLine(listing, words, FULL),
    facts: [formatPrice(listing.priceEur, language), ...factsOf(listing, words)].join(" · "),
    url: advertUrlIn(listing.url, language),
  }));
}

function stopOf(mail: Mail, siteUrl: string): { text: string; url: string } | undefined {
  if (mail.kind !== "alerts-waiting") return undefined;
  const url = new URL(localizedPath(STOP_PATH, mail.language), siteUrl);
  url.searchParams.set("key", mail.stopToken);
  return { text: mailTexts(mail.language)("alerts-waiting.stop"), url: url.href };
}

function escaped<Words extends Record<string, string>>(words: Words): Words {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, escapeHtml(word)])) as Words;
}

/** A chat's owner chose its title: a sentence or link in it must not appear in a mail of ours. */
function bodyOf(mail: Mail): string {
  const t = mailTexts(mail.language);
  if (mail.kind === "chats-lost") {
    const { language, now } = mail;
    const { title, text = "" } = healthWords(mail.health, { ...wordsOf("health", language), now });
    const body = t("chats-lost.body");
    // The heading and the button already say what the other part would repeat.
    const { state } = mail.health;
    if (state === "noChat") return `${body} ${text}`;
    return state === "chatsLost" ? `${body} ${title}.` : `${body} ${title}. ${text}`;
  }
  if (mail.kind === "new-browser") {
    const style = { timeZone: "Europe/Madrid", dateStyle: "long", timeStyle: "short" } as const;
    return t("new-browser.body", {
      device: browserWords(mail.browser, accountTexts(mail.language)),
      time: formatMoment(mail.signedInAt, mail.language, style),
    });
  }
  if (mail.kind === "alerts-waiting") {
    const more = mail.count - mail.listings.length;
    const body = t("alerts-waiting.body", { count: mail.count });
    return more > 0 ? `${body} ${t("alerts-waiting.more", { count: more })}` : body;
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
  if (isBlank(name)) return undefined;
  return /^[\p{L}\p{M}'’. -]{1,40}$/u.test(name) && !/\.[^ ]/.test(name) ? name : undefined;
}
