import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { NOT_FOUND_PATH, OFFLINE_PATHS, PAGE_PATHS } from "#web/lib/site/page-paths.ts";
import { robotsOf, sitemapOf } from "#web/lib/site/sitemap.ts";
import { buildWorker } from "./scripts/web/build-worker.ts";
import { SITE_ORIGIN_PLACEHOLDER } from "./vite.config.ts";

const inAllLanguages = (paths: readonly string[]) =>
  paths.flatMap((path) => LANGUAGES.map((language) => localizedPath(path, language)));

export default {
  appDirectory: "src/web/app",
  ssr: false,
  prerender: inAllLanguages([...PAGE_PATHS, NOT_FOUND_PATH]),
  async buildEnd({ reactRouterConfig }) {
    const client = join(reactRouterConfig.buildDirectory, "client");
    await Promise.all([
      writeFile(join(client, "sitemap.xml"), sitemapOf(SITE_ORIGIN_PLACEHOLDER)),
      writeFile(join(client, "robots.txt"), robotsOf(SITE_ORIGIN_PLACEHOLDER)),
      // Every address has its own file, an unknown one the 404 page, so nothing may be served from a fallback.
      rm(join(client, "__spa-fallback.html"), { force: true }),
      buildWorker(client, inAllLanguages(OFFLINE_PATHS)),
    ]);
  },
} satisfies Config;
