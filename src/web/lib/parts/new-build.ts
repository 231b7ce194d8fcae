/**
 * Whether the server has a newer build than this page. The page says so (components/parts/new-version.tsx) and is never reloaded by
 * itself: the server keeps the scripts of a replaced build for a week.
 */

const PROBE_TIMEOUT_MS = 3_000;
/** React Router names the file that lists all routes of a build after its content. */
const BUILD = /\/assets\/manifest-(\w+)\.js/;

let isOutdated = false;
const listeners = new Set<() => void>();

/** Asks the server for the current page. Rejects if there is no answer. */
export async function lookForNewBuild(): Promise<void> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const response = await fetch(window.location.pathname, { cache: "no-store", signal });
  const build = response.ok ? buildIn(await response.text()) : undefined;
  const ofPage = window.pageStart?.files.map(buildIn).find((found) => found !== undefined);
  if (build === undefined || ofPage === undefined || build === ofPage) return;
  isOutdated = true;
  for (const listener of listeners) listener();
}

export function isPageOutdated(): boolean {
  return isOutdated;
}

export function onOutdated(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function buildIn(text: string): string | undefined {
  return BUILD.exec(text)?.[1];
}
