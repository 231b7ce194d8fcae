// All that a page which stands by itself loads before it is touched; what is imported here is in everybody's first bytes.
import { basePathOf, isLanguage } from "#core/languages.ts";
import { followEarlyLink } from "../hydration/early-page.ts";
import { mayHoldSession } from "../hydration/session-key.ts";
import { isNeededNow, onFirstNeed } from "../hydration/start-when-needed.ts";
import { loadConfig } from "../lib/backend/site-config.ts";
import { logProblem } from "../lib/browser/log.ts";
import { nextTask, whenIdle } from "../lib/browser/next-task.ts";
import { storedKeys } from "../lib/browser/storage.ts";
import { DEMO_PLACE_ID } from "../lib/site/constants.ts";
import { fillOutsideLinks } from "../lib/site/outside-links.ts";

let isStarting = false;
waitForApplication();
if (isNeededNow()) start();
else {
  onFirstNeed(start);
  whenIdle(() => {
    fillOutsideLinks().catch((error: unknown) =>
      logProblem("The settings of the site could not be read", error),
    );
    const place = document.getElementById(DEMO_PLACE_ID);
    if (!place) return;
    whenSeen(place, () => void startDemo(place));
    startIfPromiseIsBroken().catch((error: unknown) =>
      logProblem("How often searches are checked could not be read", error),
    );
  });
}

/** Links may wait from now on: whoever reaches for one has touched the page, and that starts the application. */
function waitForApplication(): void {
  if (window.earlyPage) window.earlyPage.isComing = true;
}

/** Once, whatever asks for it: a second application over the living first would tear the page apart. */
function start(): void {
  if (isStarting) return;
  isStarting = true;
  waitForApplication();
  startInPieces().catch((error: unknown) => {
    logProblem("The application could not be loaded", error);
    isStarting = false;
    followEarlyLink();
    onFirstNeed(start);
  });
}

/** All pieces are fetched side by side, and each is run in a task of its own. */
async function startInPieces(): Promise<void> {
  const load = async (file: string) => {
    const loaded: unknown = await import(/* @vite-ignore */ file);
    await nextTask();
    return loaded;
  };
  const { files = [], loadRoutes } = window.pageStart ?? {};
  // The touch that asked for it is answered first.
  await nextTask();
  document.head.append(...files.map(preloadLink));
  askEarly().catch((error: unknown) => logProblem("What the page needs first could not be asked for", error));
  for (const file of files) await load(file);
  await loadRoutes?.(load);
  const { startApp } = await import("./start-app.tsx");
  await nextTask();
  await startApp();
}

/** What a signed-in person's page asks for first comes beside the application, not after it. */
async function askEarly(): Promise<void> {
  if (!mayHoldSession(storedKeys())) return;
  const { pathname, search } = window.location;
  const isOfFinds = basePathOf(pathname) === "/finds" && search === "";
  if (isOfFinds) await (await import("../lib/backend/finds.ts")).askForFindsEarly();
  else await Promise.all([loadConfig(), import("@supabase/supabase-js")]);
}

function preloadLink(file: string): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = file;
  return link;
}

async function startDemo(place: HTMLElement): Promise<void> {
  try {
    const { createRoot } = await import("react-dom/client");
    await nextTask();
    if (isStarting) return;
    // React listens on a document once, and takes a root inside it for having done so: the application's own root, which
    // is the document, would then hear nothing. This one is never rendered.
    createRoot(document);
    const { renderDemo } = await import("../features/landing/live-demo/render-demo.tsx");
    await nextTask();
    const language = document.documentElement.lang;
    // The application that comes meanwhile shows it itself, and to whom it belongs.
    if (isStarting || !isLanguage(language)) return;
    renderDemo(place, { texts: JSON.parse(place.dataset.texts ?? ""), language, userId: undefined });
  } catch (error) {
    logProblem("The demo could not be loaded", error);
  }
}

/** The landing page promises an interval. Where it is longer, the application says so. */
async function startIfPromiseIsBroken(): Promise<void> {
  const { isPromiseKept } = await import("../hydration/guest-interval.ts");
  if (!(await isPromiseKept())) start();
}

function whenSeen(element: Element, callback: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    whenIdle(callback);
  });
  observer.observe(element);
}
