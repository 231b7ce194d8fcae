// Generates the mail templates for hosted Supabase, which renders them with Go's templates, with the same texts and
// layout. Their greeting has no name, because a template cannot tell a name from a sentence.

import { escapeHtml } from "#core/escape-html.ts";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, localizedPath } from "#core/languages.ts";
import { mailLayout } from "#server/account-mails/mail-layout.ts";
import {
  type AuthMailKind,
  EXPIRY_TEXTS,
  LINK_PATHS,
  mailTexts,
  TOKEN_TYPES,
} from "#server/account-mails/render-mail.ts";

export const CONFIG_FILE = "supabase/config.toml";

export function mailTemplates(): Record<string, string> {
  return {
    "supabase/templates/recovery.html": template("recovery"),
    "supabase/templates/confirmation.html": template("confirmation"),
    "supabase/templates/email_change.html": template("email_change"),
  };
}

export function subjectTemplate(kind: AuthMailKind): string {
  return `${chosenLanguage(kind)}${inEach((language) => mailTexts(language)(`${kind}.subject`))}`;
}

function template(kind: AuthMailKind): string {
  const text = (key: Parameters<ReturnType<typeof mailTexts>>[0]) =>
    inEach((language) => escapeHtml(mailTexts(language)(key)));
  const path = inEach((language) => localizedPath(LINK_PATHS[kind], language));
  const html = mailLayout({
    language: "{{ $language }}",
    subject: text(`${kind}.subject`),
    preheader: text(`${kind}.preheader`),
    heading: text(`${kind}.heading`),
    greeting: text("common.greeting"),
    body: text(`${kind}.body`),
    link: {
      button: text(`${kind}.button`),
      url: `{{ .SiteURL }}${path}#token_hash={{ .TokenHash }}&amp;type=${TOKEN_TYPES[kind]}`,
      fallback: text("common.fallback"),
    },
    expiry: text(EXPIRY_TEXTS[kind]),
    notYou: text(`${kind}.notYou`),
    signature: text("common.signature"),
  });
  return `${chosenLanguage(kind)}${html}`;
}

/** The page that a mail is requested with, one of the allowed redirect URLs. */
const REDIRECT_PATHS = { recovery: "/reset-password", confirmation: "/", email_change: "/" } as const;

/** Chooses the language by the URL of the requesting page, otherwise by the sign-up, otherwise English. */
function chosenLanguage(kind: AuthMailKind): string {
  const byPage = LANGUAGES.map((language) => {
    const path = localizedPath(REDIRECT_PATHS[kind], language);
    return `if eq .RedirectTo (printf "%s${path}" .SiteURL) }}{{ $language = "${language}" }}`;
  });
  const byPerson = LANGUAGES.map(
    (language) => `if eq (printf "%v" .Data.language) "${language}" }}{{ $language = "${language}" }}`,
  );
  return `{{ $language := "en" }}{{ ${[...byPage, ...byPerson].join("{{ else ")}{{ end }}`;
}

function inEach(text: (language: Language) => string): string {
  const english = text(DEFAULT_LANGUAGE);
  if (LANGUAGES.every((language) => text(language) === english)) return english;
  const others = LANGUAGES.filter((language) => language !== DEFAULT_LANGUAGE);
  const branches = others.map((language) => `if eq $language "${language}" }}${text(language)}`);
  return `{{ ${branches.join("{{ else ")}{{ else }}${english}{{ end }}`;
}
