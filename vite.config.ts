import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bundleReport } from "./scripts/web/bundle-report.ts";
import { CHUNKS } from "./src/web/hydration/chunks.ts";

/**
 * Canonical, hreflang and Open Graph addresses must be absolute, and one build serves any domain: the pages carry
 * this origin, and the server writes its own over it as it reads the files.
 */
export const SITE_ORIGIN_PLACEHOLDER = "https://site-origin.invalid";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), bundleReport("build/bundle.json")],
  define: { __SITE_ORIGIN__: JSON.stringify(SITE_ORIGIN_PLACEHOLDER) },
  build: {
    // light-dark() must reach the browser as written: a night section inside a light page turns its colours by itself.
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: CHUNKS.map(({ name, test }, index) => ({ name, test, priority: CHUNKS.length - index })),
        },
        // Named for the service worker, which keeps the boundaries of a community once the map has shown it.
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => /\/core\/zones\/spain\/(?!provinces|countries)/.test(id))
            ? "assets/boundaries/[name]-[hash].js"
            : "assets/[name]-[hash].js",
        assetFileNames(asset) {
          const locale = /locales\/([a-z]{2})\/[a-z-]+\.json$/.exec(asset.originalFileNames[0] ?? "");
          return locale
            ? `assets/locales/${locale[1]}/[name]-[hash][extname]`
            : "assets/[name]-[hash][extname]";
        },
      },
    },
  },
});
