// The mails of a hosted Supabase, which renders them itself by Go's templates: the same words, the same looks. A greeting
// there has no name in it, since a template cannot tell a name from a sentence.

import { escapeHtml } from "#core/escape-html.ts";
import { linkPath, linkType, textsOf } from "#server/mails/auth-mail-text.ts";
import { mailLayout } from "#server/mails/mail-layout.ts";
import { type MailLanguage, mailLanguages, mailTexts, prefixOf } from "#server/mails/mail-texts.ts";

type Kind = "recovery" | "confirmation";

export const CONFIG_FILE = "supabase/config.toml";

/** Every file of templates, by its path. */
export function mailTemplates(): Record<string, string> {
  return {
    "supabase/templates/recovery.html": template("recovery"),
    "supabase/templates/confirmation.html": template("confirmation"),
  };
}

/** The subject as config.toml has it. */
export function subjectTemplate(kind: Kind): string {
  return `${chosenLanguage(kind)}${inEach((language) => textsOf(kind, mailTexts[language]).subject)}`;
}

function template(kind: Kind): string {
  const text = (name: keyof ReturnType<typeof textsOf>) =>
    inEach((language) => escapeHtml(textsOf(kind, mailTexts[language])[name]));
  const path = inEach((language) => `${prefixOf(language)}${linkPath[kind]}`.replace(/(?<=.)\/$/, ""));
  const html = mailLayout({
    language: "{{ $language }}",
    subject: text("subject"),
    preheader: text("preheader"),
    heading: text("heading"),
    greeting: text("greeting"),
    body: text("body"),
    link: {
      button: text("button"),
      url: `{{ .SiteURL }}${path}#token_hash={{ .TokenHash }}&amp;type=${linkType[kind]}`,
      fallback: text("fallback"),
    },
    expiry: text("expiry"),
    notYou: text("notYou"),
    signature: text("signature"),
  });
  return `${chosenLanguage(kind)}${html}`;
}

/** The language of the page that asked, by its whole address; else the one the person signed up in; else English. */
function chosenLanguage(kind: Kind): string {
  const pages = mailLanguages.map((language) => ({
    language,
    path: `${prefixOf(language)}${linkPath[kind]}`.replace(/(?<=.)\/$/, ""),
  }));
  const byPage = pages.map(
    ({ language, path }) =>
      `if eq .RedirectTo (printf "%s${path}" .SiteURL) }}{{ $language = "${language}" }}`,
  );
  const byPerson = mailLanguages.map(
    (language) => `if eq (printf "%v" .Data.language) "${language}" }}{{ $language = "${language}" }}`,
  );
  return `{{ $language := "en" }}{{ ${[...byPage, ...byPerson].join("{{ else ")}{{ end }}`;
}

function inEach(text: (language: MailLanguage) => string): string {
  const [english, ...others] = mailLanguages;
  if (!english) throw new Error("there is no language");
  const branches = others.map((language) => `if eq $language "${language}" }}${text(language)}`);
  const texts = new Set(mailLanguages.map(text));
  if (texts.size === 1) return text(english);
  return `{{ ${branches.join("{{ else ")}{{ else }}${text(english)}{{ end }}`;
}
