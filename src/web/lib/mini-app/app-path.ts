import { basePathOf, languageOfPath, localizedPath } from "#core/languages.ts";
import { isInApp } from "./is-in-app.ts";

/** The pages that Telegram may show in a frame; all others open outside. */
const APP_PAGES = /^\/(?:finds|filter-settings)(?=$|[?#])/;

/** The same page where the reader is: below /app if they are inside Telegram. */
export function pathBeside(pathname: string, path: string): string {
  const base = basePathOf(path);
  return isInApp(pathname) && APP_PAGES.test(base)
    ? localizedPath(`/app${base}`, languageOfPath(path))
    : path;
}

/** The path of our page that a start parameter names. The author of the link chose it, so it only ever opens a page. */
export function pathOfStart(parameter: string | null): string {
  const [, code] = /^home-([\w-]{1,64})$/.exec(parameter ?? "") ?? [];
  return code === undefined ? "/app/finds" : `/app/finds?home=${code}`;
}
