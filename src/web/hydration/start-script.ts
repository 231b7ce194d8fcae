import { basePathOf } from "#core/languages.ts";
import { PUBLIC_PATHS } from "../lib/site/page-paths.ts";

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g;
const START = /<script type="module" async="">([\s\S]*?)import\("([^"]+)"\);<\/script>/;

// As vite.config.ts names them: who runs first is needed by those after, and each then runs in a task of its own.
const FIRST_PIECES = 3;
const PIECES = ["react", "vendor", "i18n", "promise", "demo", "frame", "forms"];

/**
 * The router's own start script imports the whole application at once. This one loads entry.client alone, which reads
 * from `window.pageStart` what the application is made of and starts it in pieces: at once, or on a page that stands by
 * itself when somebody touches it (decision 0013).
 */
export function withOwnStart(html: string, page: { path: string; entryFiles: readonly string[] }): string {
  const files = [...html.matchAll(PRELOAD)].map(([, file = ""]) => file).sort(byNeed);
  const [script, imports = "", entry = ""] = START.exec(html) ?? [];
  if (!script || !files.includes(entry))
    throw new Error("The router writes its start script in another way now");
  const loadRoutes = imports
    .replaceAll(/^import \* as (\w+) from ("[^"]+");$/gm, "const $1 = await load($2);")
    .replaceAll(/^import ("[^"]+");$/gm, "await load($1);");
  if (/^\s*import\b/m.test(loadRoutes)) throw new Error("The start script imports what nobody postpones");
  const isLater = (PUBLIC_PATHS as readonly string[]).includes(basePathOf(page.path.replace(/(.)\/$/, "$1")));
  const isOfEntry = (file: string) => file === entry || page.entryFiles.includes(file);
  const application = JSON.stringify(files.filter((file) => !isOfEntry(file)));
  const ownScript =
    `<script>window.pageStart = { isLater: ${isLater}, files: ${application}, ` +
    `async loadRoutes(load) {${loadRoutes}} };</script><script type="module" async="" src="${entry}"></script>`;
  return (
    html
      .replace(script, () => ownScript)
      // A page that is readable without its scripts: they must not crowd out the font on a slow line. On the others what
      // runs first comes first, and runs while the rest is on its way.
      .replaceAll(PRELOAD, (link, file) => {
        if (isLater && !isOfEntry(file)) return "";
        return !isLater && rankOf(file) < FIRST_PIECES
          ? link
          : link.replace(" href", ' fetchpriority="low" href');
      })
  );
}

function byNeed(one: string, other: string): number {
  return rankOf(one) - rankOf(other);
}

function rankOf(file: string): number {
  const rank = PIECES.findIndex((piece) => file.startsWith(`/assets/${piece}-`));
  return rank === -1 ? PIECES.length : rank;
}
