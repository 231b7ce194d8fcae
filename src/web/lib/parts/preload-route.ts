/**
 * Fetches the scripts of a page before a link to it is followed. React Router's own `prefetch` imports the module of the
 * route, and reloads the document if that fails.
 */
export function preloadRoute(address: string): void {
  const routes = Object.values(window.__reactRouterManifest?.routes ?? {});
  const path = address.replace(/[?#].*$/, "").replace(/^\//, "");
  const route = routes.find((one) => one?.parentId !== undefined && (one.path ?? "") === path);
  for (const file of route ? [route.module, ...(route.imports ?? [])] : []) preload(file);
}

const preloaded = new Set<string>();

function preload(file: string): void {
  if (preloaded.has(file)) return;
  preloaded.add(file);
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = file;
  // Requests of the person come first.
  link.fetchPriority = "low";
  // An attempt without a connection does not count.
  link.onerror = () => {
    preloaded.delete(file);
    link.remove();
  };
  document.head.append(link);
}

/** React Router's list of routes and their files. */
export interface RouterManifest {
  routes: Readonly<
    Record<
      string,
      | {
          module: string;
          path?: string | undefined;
          parentId?: string | undefined;
          imports?: readonly string[] | undefined;
        }
      | undefined
    >
  >;
}

declare global {
  interface Window {
    __reactRouterManifest?: RouterManifest;
  }
}
