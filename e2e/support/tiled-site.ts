// A site with map tiles for one test: our HTTP routes and pages with the given setting. The data comes from the product.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { proxy } from "hono/proxy";
import { createHttpApp, type HttpOptions } from "#server/http/http-app.ts";
import { loadWebApp } from "#server/http/web-app.ts";
import { createMapTiles } from "#server/map-tiles/map-tiles.ts";
import type { MapTilesSettings } from "#server/map-tiles/map-tiles-settings.ts";
import { operatorOf } from "#server/monitoring/operator-settings.ts";

export interface TiledSite {
  readonly url: string;
  close(): Promise<void>;
}

export async function openTiledSite(productUrl: string, settings: MapTilesSettings): Promise<TiledSite> {
  const log = () => {};
  const logger = { debug: log, info: log, warn: log, error: log } as unknown as HttpOptions["logger"];
  const server = createServer((request, answer) => listener(request, answer)).listen(0, "localhost");
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const mapTiles = await createMapTiles(settings, { logger, now: Date.now });
  const backend = {
    fetch: (request: Request) => {
      const { pathname, search } = new URL(request.url);
      return proxy(`${productUrl}${pathname}${search}`, { raw: request });
    },
  };
  const app = createHttpApp({
    siteUrl: url,
    httpsOnly: "off",
    securityContact: "security@example.com",
    trustedProxies: 1,
    freeRefusals: 300,
    publicConfig: async () => {
      const config = (await (await fetch(`${productUrl}/config.json`)).json()) as Awaited<
        ReturnType<HttpOptions["publicConfig"]>
      >;
      return { ...config, supabaseUrl: url, hasMapTiles: true, offlinePages: false };
    },
    backend: backend as unknown as NonNullable<HttpOptions["backend"]>,
    metrics: undefined,
    webhook: undefined,
    stopMails: async () => false,
    web: await loadWebApp({
      folder: "build/client",
      siteUrl: url,
      supabaseUrl: undefined,
      mapTilesUrl: settings.kind === "url" ? settings.url : undefined,
      operator: operatorOf({}),
    }),
    mapTiles,
    logger,
    findFailing: async () => [],
  });
  const listener = getRequestListener(app.fetch);
  return {
    url,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, mapTiles.close()]);
    },
  };
}
