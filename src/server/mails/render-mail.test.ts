import { expect, test } from "vitest";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { healthWords } from "#text/health-words.ts";
import { translatorOf } from "#text/translator.ts";
import { type Mail, mailTexts, nameOf, renderMail } from "./render-mail.ts";
import { mailLanguage } from "./send-mails.ts";

const SITE = "https://sereno.example";
const mail = {
  kind: "recovery",
  language: "en",
  tokenHash: "a".repeat(64),
  fullName: "Ana García",
} as const;

test.each(LANGUAGES)("the mail in %s has one thing to do, in HTML and in text", (language) => {
  for (const kind of ["recovery", "confirmation"] as const) {
    const { subject, html, text } = renderMail({ ...mail, kind, language }, SITE);
    const t = mailTexts(language);
    expect(subject).toBe(t(`${kind}.subject`));
    const addresses = new Set(html.match(/https:\/\/[^\s"<]+/g));
    expect(addresses.size).toBe(1);
    expect(text.match(/https:\/\/\S+/g)).toHaveLength(1);
    for (const key of [`${kind}.body`, `${kind}.notYou`, "common.expiry"] as const) {
      expect(text).toContain(t(key));
    }
    expect(html).toContain(`<html lang="${language}"`);
    expect(`${html}${text}`).not.toMatch(/undefined|\{\{|\}\}/);
  }
});

test("the link carries its secret in the fragment, under the language's address", () => {
  const linkOf = (changes: Partial<Mail>) =>
    /https:\S+/.exec(renderMail({ ...mail, ...changes } as Mail, SITE).text)?.[0];
  const hash = `token_hash=${mail.tokenHash}`;
  expect(linkOf({})).toBe(`https://sereno.example/reset-password#${hash}&type=recovery`);
  expect(linkOf({ language: "fr" })).toBe(`https://sereno.example/fr/reset-password#${hash}&type=recovery`);
  expect(linkOf({ kind: "confirmation" })).toBe(`https://sereno.example/#${hash}&type=signup`);
  expect(linkOf({ kind: "confirmation", language: "ru" })).toBe(
    `https://sereno.example/ru#${hash}&type=signup`,
  );
});

test.each(LANGUAGES)(
  "TRUE-06 the mail that nobody hears says how the search fares and what to do (%s)",
  (language) => {
    const health = { state: "nobodyHears", onlyLoss: "stopped" } as const;
    const content = { kind: "nobody-hears", language, fullName: null, health, now: new Date() } as const;
    const { subject, html, text } = renderMail(content, SITE);
    const words = healthWords(health, { ...content, t: translatorOf("health")(language) });
    expect(subject).toBe(mailTexts(language)("nobody-hears.subject"));
    expect(text).toContain(`${words.title}. ${words.text}`);
    expect(text.match(/https:\/\/\S+/g)).toEqual([`${SITE}${localizedPath("/filter-settings", language)}`]);
    expect(`${html}${text}`).not.toMatch(/undefined|\{\{|\}\}/);
  },
);

test("the mail loads nothing and runs nothing", () => {
  const { html } = renderMail(mail, SITE);
  expect(html).not.toMatch(/<(img|script|link|iframe|object|form)\b|url\(|\son\w+=/i);
});

test("a name that is a name is greeted, a sentence, a link or markup in its place is not", () => {
  for (const name of ["Ana García", "Jean-Luc O’Neill", "J. R. Smith", "Мария", "李小龙", " Ana "]) {
    expect(nameOf(name)).toBe(name.trim());
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
    42,
    null,
    undefined,
    { first: "Ana" },
  ]) {
    expect(nameOf(name), String(name)).toBeUndefined();
  }
  const { html, text } = renderMail({ ...mail, fullName: "O'Neill $& $1" }, SITE);
  expect(`${html}${text}`).not.toContain("Neill");
  expect(renderMail({ ...mail, fullName: "O'Neill" }, SITE).html).toContain("Hello O'Neill,");
});

test("the language is that of the page that asked, then the person's, then English", () => {
  const es = { language: "es" };
  expect(mailLanguage({ redirectTo: "https://s.example/de/reset-password", metadata: es })).toBe("de");
  expect(mailLanguage({ redirectTo: "https://s.example/reset-password", metadata: es })).toBe("en");
  expect(mailLanguage({ redirectTo: undefined, metadata: es })).toBe("es");
  for (const language of ["xx", 1, null, ["es"], "toString"]) {
    expect(mailLanguage({ redirectTo: undefined, metadata: { language } })).toBe("en");
  }
});
