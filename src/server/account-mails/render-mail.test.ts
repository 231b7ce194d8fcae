import { expect, test } from "vitest";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { healthWords } from "#text/health-words.ts";
import { translatorOf } from "#text/translator.ts";
import { type Mail, mailTexts, recipientName, renderMail } from "./render-mail.ts";
import { mailLanguage } from "./send-mails.ts";

const SITE = "https://sereno.example";
const mail = {
  kind: "recovery",
  language: "en",
  tokenHash: "a".repeat(64),
  fullName: "Ana García",
} as const;

test.each(LANGUAGES)("the mail in %s has one call to action, in HTML and in text", (language) => {
  for (const kind of ["recovery", "confirmation"] as const) {
    const { subject, html, text } = renderMail({ ...mail, kind, language }, SITE);
    const t = mailTexts(language);
    expect(subject).toBe(t(`${kind}.subject`));
    const addresses = new Set(html.match(/https:\/\/[^\s"<]+/g));
    expect(addresses.size).toBe(1);
    expect(text.match(/https:\/\/\S+/g)).toHaveLength(1);
    const expiry = kind === "recovery" ? "common.expiry" : "confirmation.expiry";
    for (const key of [`${kind}.body`, `${kind}.notYou`, expiry] as const) {
      expect(text).toContain(t(key));
    }
    expect(html).toContain(`<html lang="${language}"`);
    expect(`${html}${text}`).not.toMatch(/undefined|\{\{|\}\}/);
  }
});

test("the link carries its token in the fragment, under the language's path", () => {
  const linkOf = (changes: Partial<Mail>) =>
    /https:\S+/.exec(renderMail({ ...mail, ...changes } as Mail, SITE).text)?.[0];
  const hash = `token_hash=${mail.tokenHash}`;
  expect(linkOf({})).toBe(`https://sereno.example/reset-password#${hash}&type=recovery`);
  expect(linkOf({ language: "fr" })).toBe(`https://sereno.example/fr/reset-password#${hash}&type=recovery`);
  expect(linkOf({ kind: "confirmation" })).toBe(`https://sereno.example/confirm-email#${hash}&type=signup`);
  expect(linkOf({ kind: "confirmation", language: "ru" })).toBe(
    `https://sereno.example/ru/confirm-email#${hash}&type=signup`,
  );
});

test.each(LANGUAGES)(
  "TRUE-06 the mail about unreachable chats gives the search's status and what to do (%s)",
  (language) => {
    const health = { state: "chatsLost", onlyLoss: "stopped" } as const;
    const content = { kind: "chats-lost", language, fullName: null, health, now: new Date() } as const;
    const { subject, html, text } = renderMail(content, SITE);
    const words = healthWords(health, { ...content, t: translatorOf("health")(language) });
    expect(subject).toBe(mailTexts(language)("chats-lost.subject"));
    expect(text).toContain(`${words.title}.`);
    expect(text.match(/https:\/\/\S+/g)).toEqual([`${SITE}${localizedPath("/filter-settings", language)}`]);
    expect(`${html}${text}`).not.toMatch(/undefined|\{\{|\}\}/);
  },
);

test.each([
  ["en", "Firefox on Windows, 19 November 2026 at 18:40 (Madrid time)"],
  ["es", "Firefox en Windows, 19 de noviembre de 2026 a las 18:40 (hora de Madrid)"],
  ["ru", "Firefox на Windows, 19 ноября 2026\u00a0г. в 18:40 (по мадридскому времени)"],
  ["de", "Firefox auf Windows, 19. November 2026 um 18:40\u00a0Uhr (Madrider Zeit)"],
  ["fr", "Firefox sur Windows, 19 novembre 2026 à 18\u00a0h\u00a040 (heure de Madrid)"],
] as const)(
  "READ-07: the mail about a new browser names it and the time, and links to the devices (%s)",
  (...row) => {
    const [language, words] = row;
    const signedInAt = new Date("2026-11-19T17:40:00Z");
    const browser = { family: "Firefox", platform: "Windows" };
    const content = { kind: "new-browser", language, fullName: "Ana", browser, signedInAt } as const;
    const { html, text } = renderMail(content, SITE);
    expect(text).toContain(words);
    expect(html).toContain(words);
    expect(text.match(/https:\/\/\S+/g)).toEqual([`${SITE}${localizedPath("/profile", language)}#sessions`]);
    expect(`${html}${text}`).not.toMatch(/undefined|\{\{|\}\}|token/);
  },
);

test.each(LANGUAGES)("READ-10 the mail about ended access leads back to the searches (%s)", (language) => {
  const { text, html } = renderMail({ kind: "access-ended", language, fullName: "Ana" }, SITE);
  expect(text).toContain(mailTexts(language)("access-ended.body"));
  expect(text.match(/https:\/\/\S+/g)).toEqual([`${SITE}${localizedPath("/filter-settings", language)}`]);
  expect(`${html}${text}`).not.toMatch(/undefined|\{\{|\}\}|token/);
});

test.each(LANGUAGES)("READ-10 the mail of a sign-up has one link, to the page that asks (%s)", (language) => {
  const content = { kind: "confirmation", language, fullName: "Ana", tokenHash: "b".repeat(64) } as const;
  const { text, html } = renderMail(content, SITE);
  const link = `${SITE}${localizedPath("/confirm-email", language)}#token_hash=${"b".repeat(64)}&type=signup`;
  expect(text.match(/https:\/\/\S+/g)).toEqual([link]);
  const shown = link.replace("&", "&amp;");
  expect(html.match(/https:\/\/[^\s"<]+/g)).toEqual([shown, shown, shown]);
  expect(text).toContain(mailTexts(language)("confirmation.expiry"));
});

test("the mail loads no resources and runs no scripts", () => {
  const { html } = renderMail(mail, SITE);
  expect(html).not.toMatch(/<(img|script|link|iframe|object|form)\b|url\(|\son\w+=/i);
});

test("a plausible name is used in the greeting; a sentence, a link or markup is not", () => {
  for (const name of ["Ana García", "Jean-Luc O’Neill", "J. R. Smith", "Мария", "李小龙", " Ana "]) {
    expect(recipientName(name)).toBe(name.trim());
  }
  for (const name of [
    "<b>Ana</b>",
    "Win at evil.example",
    "https://evil.example",
    "Ana\r\nBcc: x",
    "Call 600 000 000",
    "a".repeat(41),
    "",
    "  ",
    "\u3164",
    42,
    null,
    undefined,
    { first: "Ana" },
  ]) {
    expect(recipientName(name), String(name)).toBeUndefined();
  }
  const { html, text } = renderMail({ ...mail, fullName: "O'Neill $& $1" }, SITE);
  expect(`${html}${text}`).not.toContain("Neill");
  expect(renderMail({ ...mail, fullName: "O'Neill" }, SITE).html).toContain("Hello O'Neill,");
});

test("the language is that of the requesting page, then the person's, then English", () => {
  const es = { language: "es" };
  expect(mailLanguage({ redirectTo: "https://s.example/de/reset-password", metadata: es })).toBe("de");
  expect(mailLanguage({ redirectTo: "https://s.example/reset-password", metadata: es })).toBe("en");
  expect(mailLanguage({ redirectTo: undefined, metadata: es })).toBe("es");
  for (const language of ["xx", 1, null, ["es"], "toString"]) {
    expect(mailLanguage({ redirectTo: undefined, metadata: { language } })).toBe("en");
  }
});
