import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { bundleReport } from "./scripts/web/bundle-report.ts";

/**
 * Canonical, hreflang and Open Graph addresses must be absolute, and one build serves any domain: the pages carry
 * this origin, and the server writes its own over it as it reads the files.
 */
export const SITE_ORIGIN_PLACEHOLDER = "https://site-origin.invalid";

// What each part of a page needs, and no more: the demo needs React alone, the application the rest.
const GROUPS = [
  // Everybody's first bytes: entry.client and the little it stands on.
  {
    name: "first",
    test: /preload-helper|src\/(core\/(languages|site-path)|web\/hydration\/(pre-hydration|start-failure|start-when-needed)|web\/lib\/(auth\/session-key|backend\/site-config|browser\/(log|next-task|storage)|parts\/(new-build|reason-of-failure)|site\/(constants|outside-links|page-data)))\./,
  },
  { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
  // Not react-i18next's Trans, which only forms and dialogs use.
  { name: "i18n", test: /node_modules\/(i18next|react-i18next(?!.*\/Trans))\// },
  { name: "vendor", test: /node_modules\/(react-router|@tanstack\/(react-query|query-core))\// },
  // What the landing page asks before its application comes: whether its promise is kept.
  {
    name: "promise",
    test: /src\/(text\/(labels|plain-texts|watch-interval)|web\/lib\/(auth\/stored-session|backend\/(finds|guest-interval|guest-tables|query-keys|supabase)))\./,
  },
  // What the demo shares with the pages.
  {
    name: "demo",
    test: /src\/(web\/(lib\/(backend\/use-row-changes|browser\/(class-names|use-now))|components\/(lantern|lantern-mark|ui\/(button-variants|skeleton))|features\/landing\/live-demo\/(?!live-demo\.|formats-worker)))|node_modules\/(clsx|class-variance-authority)\//,
  },
  // What draws the first finds before the application comes.
  { name: "early", test: /src\/(text\/home-words|web\/hydration\/early-finds)\./ },
  // What forms are made of: for the dialog, the profile and the reset page, and for nobody who only looks.
  {
    name: "forms",
    test: /src\/web\/(lib\/(auth\/(account-rules|auth-failure)|browser\/(use-action|use-focus-on-close))|components\/(panel|ui\/failure-notice|form\/(busy-button|form|input-variants|password-field|text-field|use-faults|use-form)))\./,
  },
  // The map library, for the pages that show a map.
  { name: "map-library", test: /node_modules\/(ol|rbush|quickselect|pbf|earcut|pmtiles|fflate)\// },
  // Not what loads on demand: the open menus, the dialogs, the toasts, the map.
  // Nor the code that queues changes and shows conflicts: public pages change nothing.
  {
    name: "frame",
    test: /src\/web\/(app\/start-app|hydration\/|lib\/(?!i18n\/search-name|changes\/(send-unsent|change-row|change)\.)|components\/(?!form\/|ui\/(dropdown-menu|dialog|toaster)|map\/|parts\/(conflict-list|field-conflicts))|features\/layout\/(?!.*-items)|features\/auth\/(auth-calls|auth-dialog-provider|auth-return|session))/,
  },
];

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
          groups: GROUPS.map((group, index) => ({ ...group, priority: GROUPS.length - index })),
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
