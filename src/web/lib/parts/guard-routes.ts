import { loadAgain } from "./load-again.ts";
import { setPageFailure } from "./page-failure.ts";
import type { RouterManifest } from "./preload-route.ts";

interface GuardedRoute {
  id: string;
  lazy?: unknown;
  children?: readonly GuardedRoute[] | undefined;
}

/**
 * React Router reloads the document if the module of a route cannot be imported, which without a connection ends on the
 * browser's error page. So every function that imports the module waits until we could import it. Meanwhile the
 * navigation is pending, and the frame stays.
 */
export function guardRoutes(routes: readonly GuardedRoute[], manifest: RouterManifest): void {
  for (const { id, lazy, children } of routes) {
    guardRoutes(children ?? [], manifest);
    const file = manifest.routes[id]?.module;
    if (typeof lazy !== "object" || lazy === null || file === undefined) continue;
    let loading: Promise<unknown> | undefined;
    const load = () => {
      loading ??= loadAgain(
        () => import(/* @vite-ignore */ file),
        (reason) => setPageFailure(file, reason),
      ).then(() => setPageFailure(file, null));
      return loading;
    };
    for (const [part, read] of Object.entries(lazy)) {
      if (typeof read !== "function") continue;
      Reflect.set(lazy, part, async (...args: unknown[]) => {
        await load();
        return read(...args);
      });
    }
  }
}
