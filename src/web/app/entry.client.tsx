// The only script that a public page loads before the first user gesture: everything imported here is part of its first
// bytes. hydration/pre-hydration.ts describes the states.
import { basePathOf, isLanguage } from "#core/languages.ts";
import { followWaitingLink } from "../hydration/pre-hydration.ts";
import { removeStartFailure, showStartFailure } from "../hydration/start-failure.ts";
import { mustStartNow, onFirstReason } from "../hydration/start-when-needed.ts";
import { mayHoldSession } from "../lib/auth/session-key.ts";
import { loadConfig } from "../lib/backend/site-config.ts";
import { logProblem } from "../lib/browser/log.ts";
import { nextTask, whenIdle } from "../lib/browser/next-task.ts";
import { storedKeys } from "../lib/browser/storage.ts";
import { isInApp } from "../lib/mini-app/is-in-app.ts";
import { keepVisitedPage } from "../lib/offline/visited-pages.ts";
import { type LoadFailure, reasonOfFailure } from "../lib/parts/reason-of-failure.ts";
import { DEMO_PLACE_ID, LOAD_DELAY_MS, SLOW_MS } from "../lib/site/constants.ts";
import { fillOutsideLinks } from "../lib/site/outside-links.ts";
import { PUBLIC_PATHS } from "../lib/site/page-paths.ts";

/** The application does not wait longer for the first finds. */
const EARLY_MS = 3_000;

let isStarting = false;
let failures = 0;
sayIfSlow();
if (mustStartNow()) start();
else {
  onFirstReason(start);
  whenIdle(() => {
    fillOutsideLinks().catch((error: unknown) => logProblem("The site settings could not be loaded", error));
    const place = document.getElementById(DEMO_PLACE_ID);
    if (!place) return;
    whenSeen(place, () => void startDemo(place));
    startIfIntervalIsLonger().catch((error: unknown) =>
      logProblem("The check interval could not be loaded", error),
    );
  });
}

if (isPublic() && !mayHoldSession(storedKeys())) {
  whenLoaded(() => {
    keepVisitedPage().catch((error: unknown) =>
      logProblem("The page could not be stored for later visits", error),
    );
  });
}

/** Starts once: a second application would hydrate the same document again. */
function start(): void {
  if (isStarting) return;
  isStarting = true;
  if (window.preHydration) window.preHydration.state = "loading";
  startInPieces().catch(async (error: unknown) => {
    logProblem("The application could not be loaded", error);
    const reason = await reasonOfFailure();
    isStarting = false;
    if (reason === "broken") followWaitingLink();
    startLater(reason);
  });
}

/** If the person waits for the application, or the page is nothing without it, the page says why nothing happens. */
function startLater(reason: LoadFailure): void {
  const isNeeded = window.preHydration?.click !== undefined || !window.pageStart?.waitsForGesture;
  if (isNeeded) showStartFailure(reason);
  const done = new AbortController();
  const startAgain = () => {
    done.abort();
    clearTimeout(timer);
    start();
  };
  const delayMs = Math.min(LOAD_DELAY_MS.first * 2 ** failures++, LOAD_DELAY_MS.longest);
  const timer = isNeeded ? setTimeout(startAgain, delayMs) : undefined;
  window.addEventListener("online", startAgain, { signal: done.signal });
  // At the window, because the script in the head stops clicks at the document.
  window.addEventListener("click", startAgain, { signal: done.signal, capture: true });
  if (!isNeeded) onFirstReason(startAgain);
}

/** A click that still waits after some seconds waits for files that do not arrive. */
function sayIfSlow(): void {
  const lookAtClick = () => {
    const click = window.preHydration?.click;
    if (click) setTimeout(() => click === window.preHydration?.click && showStartFailure("slow"), SLOW_MS);
  };
  // The script in the head notes the click after this listener, and stops it at the document.
  window.addEventListener("click", () => setTimeout(lookAtClick), true);
}

/** Fetches all pieces in parallel and runs each in a task of its own. */
async function startInPieces(): Promise<void> {
  const load = async (file: string) => {
    const loaded: unknown = await import(/* @vite-ignore */ file);
    await nextTask();
    return loaded;
  };
  const { files = [], loadRoutes } = window.pageStart ?? {};
  // Let the browser handle the gesture first.
  await nextTask();
  // The router must not see the data that Telegram puts into the address.
  if (isInApp(window.location.pathname)) (await import("../lib/mini-app/start-app.ts")).startInTelegram();
  if (isPageOfFinds()) {
    // On a weak signal the requests would wait for the application's files, and the homes for its first tasks.
    const late = new Promise<void>((resolve) => setTimeout(resolve, EARLY_MS));
    let areDrawn = late;
    const isSent = new Promise<void>((resolve) => {
      areDrawn = showHomesEarly(resolve);
    });
    await Promise.race([isSent, late]);
    document.head.append(...files.map(preloadLink));
    await Promise.race([areDrawn, late]);
  } else {
    void requestClientEarly().catch(noteEarlyFailure);
    document.head.append(...files.map(preloadLink));
  }
  for (const file of files) await load(file);
  await loadRoutes?.(load);
  const { startApp } = await import("./start-app.tsx");
  await nextTask();
  removeStartFailure();
  await startApp();
}

const noteEarlyFailure = (error: unknown) => logProblem("The early requests failed", error);

/** Fetches what other pages of a signed-in person need first, in parallel with the application. */
async function requestClientEarly(): Promise<void> {
  if (mayHoldSession(storedKeys())) await Promise.all([loadConfig(), import("@supabase/supabase-js")]);
}

async function showHomesEarly(onSent: () => void): Promise<void> {
  try {
    const { showFindsEarly } = await import("../hydration/early-finds.ts");
    await showFindsEarly(onSent);
  } catch (error) {
    noteEarlyFailure(error);
  } finally {
    onSent();
  }
}

/** Of the list as it opens, or of one home: not filtered, and no other view. */
function isPageOfFinds(): boolean {
  const { pathname, search } = window.location;
  const path = basePathOf(pathname);
  return (path === "/finds" || path === "/app/finds") && /^(\?home=[^&]+)?$/.test(search);
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
    // React attaches its listeners to a document once, and counts a root inside the document. Without this root, which
    // is never rendered, the application's root (the document) would receive no events.
    createRoot(document);
    const { renderDemo } = await import("../features/landing/live-demo/render-demo.tsx");
    await nextTask();
    const language = document.documentElement.lang;
    // If the application started in the meantime, it renders the demo itself, for the signed-in person.
    if (isStarting || !isLanguage(language)) return;
    renderDemo(place, { texts: JSON.parse(place.dataset.texts ?? ""), language, userId: undefined });
  } catch (error) {
    logProblem("The demo could not be loaded", error);
  }
}

/** The landing page promises an interval. If the real one is longer, the application has to say so. */
async function startIfIntervalIsLonger(): Promise<void> {
  const { isPromiseKept } = await import("../lib/backend/guest-interval.ts");
  if (!(await isPromiseKept())) start();
}

function isPublic(): boolean {
  return (PUBLIC_PATHS as readonly string[]).includes(basePathOf(window.location.pathname));
}

/** Storing must not compete with what the page needs. */
function whenLoaded(callback: () => void): void {
  if (document.readyState === "complete") whenIdle(callback);
  else window.addEventListener("load", () => whenIdle(callback), { once: true });
}

function whenSeen(element: Element, callback: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    whenIdle(callback);
  });
  observer.observe(element);
}
