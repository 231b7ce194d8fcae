/** What the service worker keeps. It is told by the pages, because it has nothing stored by itself. */
import { loadConfig } from "../backend/site-config.ts";

const WORKER = "/worker.js";

interface Wanted {
  /** Paths of pages and of files of the build. The worker ignores others. */
  readonly keep: readonly string[];
  /** All scripts of the build, also those of pages that were not opened yet. */
  readonly keepScripts?: boolean;
}

/** Registers the service worker and tells it, and each newer one that replaces it, what to keep. */
export async function keepForLater(wanted: Wanted): Promise<void> {
  const registration = await openWorker();
  const tell = () => registration?.active?.postMessage(wanted);
  tell();
  navigator.serviceWorker?.addEventListener("controllerchange", tell);
}

/** For guests: this page, with what it has loaded and will load. */
export async function keepVisitedPage(): Promise<void> {
  const registration = await openWorker();
  if (!registration) return;
  registration.active?.postMessage({ keep: [window.location.pathname] } satisfies Wanted);
  const loads = new PerformanceObserver((list) => {
    const keep = list.getEntries().map(({ name }) => new URL(name).pathname);
    registration.active?.postMessage({ keep } satisfies Wanted);
  });
  loads.observe({ type: "resource", buffered: true });
}

/** A page that the router has opened, so that the browser did not ask for its document. */
export function keepOpenedPage(pathname: string): void {
  navigator.serviceWorker?.controller?.postMessage({ keep: [pathname] } satisfies Wanted);
}

async function openWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers || !(await loadConfig()).offlinePages) return undefined;
  await workers.register(WORKER);
  return workers.ready;
}
