import { createTabStorage } from "../browser/storage.ts";

/** Why a part could not be loaded: the server was not reached, or it answered without the part. */
export type LoadFailure = "offline" | "broken";

const PROBE_TIMEOUT_MS = 3_000;
const RELOADED_FOR_KEY = "reloadedForBuild";
/** React Router names the file that lists all routes of a build after its content. */
const BUILD = /\/assets\/manifest-(\w+)\.js/;

const storage = createTabStorage();

/**
 * Asks the server for the current page. If it comes from a newer build, the scripts of this one may be gone: the page is
 * reloaded, once for each build. A page whose own start script is missing does not help.
 */
export async function reasonOfFailure(beforeReload: () => void): Promise<LoadFailure> {
  if (navigator.onLine === false) return "offline";
  try {
    const build = BUILD.exec((await textOf(window.location.pathname)) ?? "")?.[1];
    const isNewer = build && build !== buildOfPage() && storage.getItem(RELOADED_FOR_KEY) !== build;
    if (isNewer && (await textOf(`/assets/manifest-${build}.js`)) !== undefined) {
      storage.setItem(RELOADED_FOR_KEY, build);
      beforeReload();
      window.location.reload();
    }
    return "broken";
  } catch {
    return "offline";
  }
}

/** Undefined if the server is there, but has no such file. */
async function textOf(path: string): Promise<string | undefined> {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  return response.ok ? response.text() : undefined;
}

function buildOfPage(): string | undefined {
  return window.pageStart?.files.map((file) => BUILD.exec(file)?.[1]).find((build) => build !== undefined);
}
