// A site of its own for one test, on which the test deploys builds. The data comes from the product.
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { loadWebApp, serveWeb, type WebApp } from "#server/http/web-app.ts";
import { operatorOf } from "#server/monitoring/operator-settings.ts";

const BUILD = "build/client";

export interface DeployedSite {
  url: string;
  deployOlder(): Promise<void>;
  /** Deploys the build under test; the scripts of the one before are still served. */
  deployNewer(options?: { offlinePages: boolean }): Promise<void>;
  close(): Promise<void>;
}

export async function openDeployedSite(productUrl: string): Promise<DeployedSite> {
  const older = await mkdtemp(join(tmpdir(), "sereno-build-"));
  await copyUnderOtherNames(older);
  let web: WebApp | undefined;
  let offlinePages = true;
  const app = new Hono();
  app.get("/config.json", async (context) => {
    const config = (await (await fetch(`${productUrl}/config.json`)).json()) as object;
    return context.json({ ...config, offlinePages, supabaseUrl: url });
  });
  for (const path of ["/auth/*", "/rest/*"]) {
    app.all(path, (context) => {
      const { pathname, search } = new URL(context.req.url);
      return proxy(`${productUrl}${pathname}${search}`, context.req);
    });
  }
  app.get("*", (context) => (web ? serveWeb(context, web) : context.notFound()));
  const { server, port } = await listen(app);
  const url = `http://localhost:${port}`;
  const load = async (folder: string, olderAssets: string[]) => {
    const loaded = await loadWebApp({
      folder,
      siteUrl: url,
      supabaseUrl: undefined,
      operator: operatorOf({}),
      offlinePages,
      olderAssets,
    });
    // Compressing a whole build takes seconds.
    for (const [, file] of loaded.all()) file.isCompressible = false;
    return loaded;
  };
  return {
    url,
    deployOlder: async () => {
      web = await load(older, []);
    },
    deployNewer: async (options) => {
      offlinePages = options?.offlinePages ?? true;
      web = await load(BUILD, [older]);
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await rm(older, { recursive: true });
    },
  };
}

async function listen(app: Hono): Promise<{ server: Server; port: number }> {
  const server = createServer(getRequestListener(app.fetch)).listen(0, "localhost");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

const HASHED_NAME = /[\w.-]+-[\w-]{8}\.\w+/g;
const TEXTS = [".html", ".js", ".css", ".json"];

/** An earlier build: the same files, with other hashes in their names. */
async function copyUnderOtherNames(folder: string): Promise<void> {
  await cp(BUILD, folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const assets = files.filter(({ parentPath }) => parentPath.startsWith(join(folder, "assets")));
  const names = new Map(assets.map(({ name }, index) => [name, otherName(name, index)]));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      if (TEXTS.includes(extname(name))) {
        const text = await readFile(path, "utf8");
        await writeFile(
          path,
          text.replaceAll(HASHED_NAME, (found) => names.get(found) ?? found),
        );
      }
      await rename(path, join(parentPath, names.get(name) ?? name));
    }),
  );
}

function otherName(name: string, index: number): string {
  return name.replace(/-[\w-]{8}(?=\.\w+$)/, `-older${String(index).padStart(3, "0")}`);
}
