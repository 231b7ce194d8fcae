import { basePathOf } from "#core/languages.ts";
import { STATIC_PATHS } from "../lib/site/page-paths.ts";
import { isEarly, rankOf } from "./chunks.ts";

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g;
const START = /<script type="module" async="">([\s\S]*?)import\("([^"]+)"\);<\/script>/;
const FONT = /<link rel="preload" as="font"/g;
const CONFIG = '<link rel="preload" as="fetch" crossorigin="anonymous" href="/config.json"/>';

/** entry.client requests their homes before the files of the application. */
const PAGES_OF_FINDS = ["/finds", "/app/finds"];

/**
 * Replaces the router's start script, which imports the whole application at once. Ours loads only entry.client, which
 * reads the list of files from `window.pageStart` and loads them at once, or on a public page with the first gesture
 * (decision 0013).
 */
export function withOwnStart(html: string, page: { path: string; entryFiles: readonly string[] }): string {
  const files = [...html.matchAll(PRELOAD)]
    .map(([, file = ""]) => file)
    .sort((a, b) => rankOf(a) - rankOf(b));
  const [script, imports = "", entry = ""] = START.exec(html) ?? [];
  if (!script || !files.includes(entry)) throw new Error("The router's start script has an unexpected form");
  const loadRoutes = imports
    .replaceAll(/^import \* as (\w+) from ("[^"]+");$/gm, "const $1 = await load($2);")
    .replaceAll(/^import ("[^"]+");$/gm, "await load($1);");
  if (/^\s*import\b/m.test(loadRoutes))
    throw new Error("The start script has an import of an unexpected form");
  const path = basePathOf(page.path.replace(/(.)\/$/, "$1"));
  const waitsForGesture = (STATIC_PATHS as readonly string[]).includes(path);
  const isOfEntry = (file: string) => file === entry || page.entryFiles.includes(file);
  const application = JSON.stringify(files.filter((file) => !isOfEntry(file)));
  const ownScript =
    `<script>window.pageStart = { waitsForGesture: ${waitsForGesture}, files: ${application}, ` +
    `async loadRoutes(load) {${loadRoutes}} };</script><script type="module" async="" src="${entry}"></script>`;
  const isFirst = (file: string) => isOfEntry(file) || isEarly(file);
  const links = waitsForGesture
    ? // Public pages are readable without scripts, which must not compete with the font on a slow connection.
      files.filter(isOfEntry).map(lowLink)
    : // On other pages the files that request and draw the first data come first.
      [
        CONFIG,
        ...files.filter(isFirst).map(link),
        ...(PAGES_OF_FINDS.includes(path) ? [] : files.filter((file) => !isFirst(file)).map(lowLink)),
      ];
  const withScript = html.replace(script, () => ownScript);
  const ready = waitsForGesture ? withScript : withScript.replaceAll(FONT, `$& fetchpriority="low"`);
  const at = ready.search(PRELOAD);
  return ready.slice(0, at) + links.join("") + ready.slice(at).replaceAll(PRELOAD, "");
}

const link = (file: string) => `<link rel="modulepreload" href="${file}"/>`;
const lowLink = (file: string) => `<link rel="modulepreload" fetchpriority="low" href="${file}"/>`;
