import type { sitePath } from "#core/site-path.ts";

interface Visit {
  pathname: string;
  search: string;
  hash: string;
  storedLanguage: string | null;
  browserLanguages: readonly string[];
  /** The default language first. */
  languages: readonly string[];
}

/**
 * Where a person who opened this address should be instead, or null for here (LANG-03, LANG-04, ROUTE-10). The source
 * of this function runs in the head of every page before the first paint, so it must not refer to anything outside
 * itself; `sitePath` is passed in.
 */
export function destinationOf(visit: Visit, toSitePath: typeof sitePath): string | null {
  const { search, hash, languages } = visit;
  const pathname = toSitePath(visit.pathname);
  const fallback = languages[0] ?? "";
  const prefixOf = (path: string) => {
    const first = path.split("/")[1] ?? "";
    return languages.includes(first) && first !== fallback ? first : null;
  };
  const known = (tag: string | null) => {
    const language = (tag ?? "").toLowerCase().split("-")[0] ?? "";
    return languages.includes(language) ? language : null;
  };
  const prefix = prefixOf(pathname);
  const fromBrowser = visit.browserLanguages.map(known).find((language) => language !== null);
  const wanted = known(visit.storedLanguage) ?? prefix ?? fromBrowser ?? fallback;

  const basePath = prefix === null ? pathname : toSitePath(pathname.slice(prefix.length + 1));
  const fragment = new URLSearchParams(hash.slice(1));
  // The page that a mailed link is for, wherever its mail leads.
  const pages = [
    { path: "/reset-password", types: ["recovery"], keys: ["access_token", "token_hash"] },
    { path: "/confirm-email", types: ["signup", "email", "email_change"], keys: ["token_hash"] },
  ];
  const page = pages.find(
    ({ types, keys }) => types.includes(fragment.get("type") ?? "") && keys.some((key) => fragment.has(key)),
  );
  const target = page?.path ?? basePath;
  const path = wanted === fallback ? target : `/${wanted}${target === "/" ? "" : target}`;

  // English has no prefix, so /es/es has no English address and stays as it is.
  if ((prefixOf(path) ?? fallback) !== wanted || path === pathname) return null;
  if (!page && wanted === (prefix ?? fallback)) return null;
  return path + search + hash;
}
