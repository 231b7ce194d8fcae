/**
 * The service worker: pages that were opened start without a connection. It answers for the files of its build and for the
 * pages that open offline, and for nothing else: no data, no sign-in, no settings, no unknown address. A page is the same
 * document whatever its query says, unless the query brings a sign-in or names what we do not know. Pages come from the
 * server whenever it answers, so nobody is held on an old version. It stores what pages name: for a guest the page and what it
 * has loaded, for a signed-in person all pages of theirs and all scripts.
 */
import { registerRoute } from "workbox-routing";
import { CacheFirst, NetworkFirst } from "workbox-strategies";
import { SLOW_MS } from "../lib/site/constants.ts";
import { PAGE_PARAMETERS } from "./page-parameters.ts";

/** TypeScript's types of workers contradict those of pages, which the rest of the web app uses. */
interface WorkerEvent extends Event {
  readonly data?: { keep?: unknown; keepScripts?: unknown } | undefined;
  waitUntil(work: Promise<unknown>): void;
}

declare const self: {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate" | "message", listener: (event: WorkerEvent) => void): void;
};
/** Written by the build. */
declare const __BUILD_ASSETS__: readonly string[];
declare const __OFFLINE_PAGES__: readonly string[];

const ASSETS_CACHE = "assets";
const PAGES_CACHE = "pages";

const assets = new Set(__BUILD_ASSETS__);
const pages = new Set(__OFFLINE_PAGES__);
/** Texts are kept in the languages that the person uses, and boundaries of the provinces that the map has shown. */
const WHEN_USED = ["/assets/locales/", "/assets/boundaries/"];
const scripts = __BUILD_ASSETS__.filter((path) => !WHEN_USED.some((folder) => path.startsWith(folder)));

self.addEventListener("install", (event) => {
  event.waitUntil(
    fetchAssetsAgain()
      .then(fetchPagesAgain)
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldAssets().then(() => self.clients.claim()));
});

/** A page names what it wants to find without a connection. */
self.addEventListener("message", (event) => {
  const { keep: wanted, keepScripts } = event.data ?? {};
  if (Array.isArray(wanted))
    event.waitUntil(keep([...(keepScripts === true ? scripts : []), ...wanted.map(String)]));
});

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.search === "" && assets.has(url.pathname),
  new CacheFirst({ cacheName: ASSETS_CACHE }),
);
registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin &&
    request.mode === "navigate" &&
    pages.has(url.pathname) &&
    [...url.searchParams.keys()].every((name) => PAGE_PARAMETERS.has(name)),
  new NetworkFirst({
    cacheName: PAGES_CACHE,
    networkTimeoutSeconds: SLOW_MS / 1_000,
    plugins: [{ cacheKeyWillBeUsed: async ({ request }) => withoutQuery(request.url) }],
  }),
);

function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

async function keep(paths: readonly string[]): Promise<void> {
  await fetchMissing(
    ASSETS_CACHE,
    paths.filter((path) => assets.has(path)),
  );
  await fetchMissing(
    PAGES_CACHE,
    paths.filter((path) => pages.has(path)),
  );
}

async function fetchMissing(cacheName: string, paths: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const path of paths) {
    if (!(await cache.match(path))) await cache.add(path).catch(() => undefined);
  }
}

/** The pages of the build before name scripts that are about to be dropped. */
async function fetchPagesAgain(): Promise<void> {
  const cache = await caches.open(PAGES_CACHE);
  for (const { url } of await cache.keys()) await cache.add(new Request(url, { cache: "reload" }));
}

/** What the build before has kept, under its new name: an open page names only the files of its own build. */
async function fetchAssetsAgain(): Promise<void> {
  const keys = await (await caches.open(ASSETS_CACHE)).keys();
  const names = new Set(keys.map(({ url }) => nameOf(new URL(url).pathname)));
  await fetchMissing(
    ASSETS_CACHE,
    __BUILD_ASSETS__.filter((path) => names.has(nameOf(path))),
  );
}

/** Without the hash of the build. */
function nameOf(path: string): string {
  return path.replace(/-[\w-]{8}(?=\.\w+$)/, "");
}

async function dropOldAssets(): Promise<void> {
  const cache = await caches.open(ASSETS_CACHE);
  const old = (await cache.keys()).filter(({ url }) => !assets.has(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}
