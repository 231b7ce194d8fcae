import { layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "#core/languages.ts";

export default [
  ...LANGUAGES.flatMap((language) =>
    pagesIn(language, {
      "": "home",
      privacy: "legal",
      terms: "legal",
      measured: "measured",
      finds: "finds",
      "filter-settings": "filter-settings",
      profile: "profile",
      "reset-password": "reset-password",
      "confirm-email": "confirm-email",
      "stop-mails": "stop-mails",
      "*": "not-found",
    }),
  ),
  // Inside Telegram: the only documents that may be framed.
  layout(
    "routes/app-frame.tsx",
    LANGUAGES.flatMap((language) =>
      pagesIn(language, { app: "app", "app/finds": "app-finds", "app/filter-settings": "filter-settings" }),
    ),
  ),
] satisfies RouteConfig;

/** Each language has its own routes, so that an unknown first segment is an unknown address and never a language. */
function pagesIn(language: Language, files: Readonly<Record<string, string>>): RouteConfigEntry[] {
  const prefix = language === DEFAULT_LANGUAGE ? "" : `${language}/`;
  return Object.entries(files).map(([path, file]) =>
    route(`${prefix}${path}`, `routes/${file}.tsx`, { id: `${language}-${path}` }),
  );
}
