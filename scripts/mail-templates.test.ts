import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { renderMail } from "#server/account-mails/render-mail.ts";
import { CONFIG_FILE, mailTemplates, subjectTemplate } from "./mail-templates.ts";

const HOW = "(`UPDATE_TEMPLATES=1 vitest run scripts/mail-templates.test.ts` brings them up to date)";

test(`the templates for hosted Supabase match our mails ${HOW}`, async () => {
  for (const [path, text] of Object.entries(mailTemplates())) {
    if (process.env.UPDATE_TEMPLATES) await writeFile(path, text);
    expect(await readFile(path, "utf8")).toBe(text);
  }
});

test(`config.toml has the subjects of our mails ${HOW}`, async () => {
  let config = await readFile(CONFIG_FILE, "utf8");
  for (const kind of ["recovery", "confirmation", "email_change"] as const) {
    const block = new RegExp(`(\\[auth\\.email\\.template\\.${kind}\\]\\nsubject = ''')(.*)(?=''')`);
    if (process.env.UPDATE_TEMPLATES) {
      config = config.replace(block, (_, head: string) => `${head}${subjectTemplate(kind)}`);
      await writeFile(CONFIG_FILE, config);
    }
    expect(block.exec(config)?.[2]).toBe(subjectTemplate(kind));
  }
});

test("config.toml lists the allowed redirect URLs", async () => {
  const config = await readFile(CONFIG_FILE, "utf8");
  const [, list = ""] = /additional_redirect_urls = \[([^\]]*)\]/.exec(config) ?? [];
  const listed = list.match(/"[^"]+"/g)?.map((url) => url.slice(1, -1));
  const pages = LANGUAGES.flatMap((language) => {
    const prefix = language === "en" ? "" : `/${language}`;
    return [`${prefix || "/"}`, `${prefix}/reset-password`];
  });
  expect(listed).toEqual(pages.map((page) => `http://localhost:3000${page}`));
  expect(config).toContain("minimum_password_length = 6");
});

const SITE = "https://sereno.example";
const HASH = "b".repeat(64);

test.each(LANGUAGES)(
  "the templates, rendered like Go for %s, give the mail that the embedded server sends",
  (language) => {
    const prefix = language === "en" ? "" : `/${language}`;
    for (const [kind, path] of [
      ["recovery", "/reset-password"],
      ["confirmation", ""],
      ["email_change", ""],
    ] as const) {
      const page = `${SITE}${prefix}${path}` === SITE ? `${SITE}/` : `${SITE}${prefix}${path}`;
      const mail = renderMail({ kind, language, tokenHash: HASH, fullName: undefined }, SITE);
      const template = mailTemplates()[`supabase/templates/${kind}.html`] ?? "";
      for (const values of [
        { RedirectTo: page, language: "xx" },
        { RedirectTo: page, language: language === "de" ? "fr" : "de" },
        { RedirectTo: "https://elsewhere.example", language },
        ...(language === "en" ? [{ RedirectTo: SITE, language: undefined }] : []),
      ]) {
        expect(fillIn(template, values)).toBe(mail.html);
        expect(fillIn(subjectTemplate(kind), values)).toBe(mail.subject);
      }
    }
  },
);

/** The subset of Go's templates that ours use: one variable, chains of `if eq`, and three values. */
function fillIn(
  template: string,
  { RedirectTo, language }: { RedirectTo: string; language: string | undefined },
) {
  const parts = template.split(/\{\{ (.*?) \}\}/);
  const chains: { isDone: boolean; isOn: boolean }[] = [];
  let chosen = "";
  let text = "";
  const holds = (condition: string) => {
    const [, page] = /^if eq \.RedirectTo \(printf "%s([^"]*)" \.SiteURL\)$/.exec(condition) ?? [];
    if (page !== undefined) return RedirectTo === `${SITE}${page}`;
    const [, what, value] =
      /^if eq (\$language|\(printf "%v" \.Data\.language\)) "(\w+)"$/.exec(condition) ?? [];
    if (!what) throw new Error(`This template syntax is not supported: ${condition}`);
    return (what === "$language" ? chosen : (language ?? "<nil>")) === value;
  };
  const isOn = () => chains.every((chain) => chain.isOn);
  const branch = (action: string) => {
    const chain = chains.at(-1);
    if (action.startsWith("if ")) chains.push({ isDone: holds(action), isOn: holds(action) });
    else if (action === "end") chains.pop();
    else if (chain) {
      chain.isOn = !chain.isDone && (action === "else" || holds(action.slice("else ".length)));
      chain.isDone ||= chain.isOn;
    }
  };
  const fill = (action: string) => {
    const [, assigned] = /^\$language :?= "(\w+)"$/.exec(action) ?? [];
    const values: Record<string, string> = { $language: chosen, ".SiteURL": SITE, ".TokenHash": HASH };
    if (assigned) chosen = assigned;
    else text += values[action] ?? `?${action}?`;
  };
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) text += isOn() ? part : "";
    else if (/^(if|else|end)\b/.test(part)) branch(part);
    else if (isOn()) fill(part);
  }
  return text;
}
