import { type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "#core/languages.ts";

export default LANGUAGES.flatMap(routesIn) satisfies RouteConfig;

/** Each language has its own routes, so that an unknown first segment is an unknown address and never a language. */
function routesIn(language: Language): RouteConfigEntry[] {
  const prefix = language === DEFAULT_LANGUAGE ? "" : `${language}/`;
  const page = (path: string, file: string) =>
    route(`${prefix}${path}`, `routes/${file}.tsx`, { id: `${language}-${path}` });
  return [
    page("", "home"),
    page("privacy", "legal"),
    page("terms", "legal"),
    page("measured", "measured"),
    page("finds", "finds"),
    page("filter-settings", "filter-settings"),
    page("profile", "profile"),
    page("reset-password", "reset-password"),
    page("confirm-email", "confirm-email"),
    page("stop-mails", "stop-mails"),
    // Inside Telegram: the only documents that may be framed.
    page("app", "app"),
    page("app/finds", "finds"),
    page("app/filter-settings", "filter-settings"),
    page("*", "not-found"),
  ];
}
