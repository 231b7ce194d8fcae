import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { build } from "vite";

/** Bundles the service worker when all files of the build are there: it answers for those alone. */
export async function buildWorker(client: string, offlinePages: readonly string[]): Promise<void> {
  const files = await readdir(join(client, "assets"), { recursive: true });
  const assets = files
    .filter((file) => /\.(js|css|json|woff2|svg|webp|png)$/.test(file))
    .map((file) => `/assets/${file.split(sep).join("/")}`)
    .sort();
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    define: {
      __BUILD_ASSETS__: JSON.stringify(assets),
      __OFFLINE_PAGES__: JSON.stringify(offlinePages),
      "process.env.NODE_ENV": JSON.stringify("production"),
    },
    build: {
      outDir: client,
      emptyOutDir: false,
      rolldownOptions: {
        input: "src/web/worker/worker.ts",
        output: { entryFileNames: "worker.js", format: "iife" },
      },
    },
  });
}
