import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/**
 * Canonical, hreflang and Open Graph addresses must be absolute, and one build serves any domain: the pages carry
 * this origin, and the server writes its own over it as it reads the files.
 */
export const SITE_ORIGIN_PLACEHOLDER = "https://site-origin.invalid";

// Not react-i18next's Trans, which only forms and dialogs use.
const SHARED_LIBRARIES =
  /node_modules\/(react|react-dom|react-router|scheduler|i18next|react-i18next(?!.*\/Trans)|i18next-http-backend|@tanstack)\//;

// Not what loads on demand: the open menus, the dialogs, the toasts.
const SHARED_SOURCES =
  /src\/(core\/languages|text\/labels|web\/(lib|components\/(?!ui\/(dropdown-menu|dialog|toaster))|features\/layout\/(?!.*-items)|features\/auth\/(auth-calls|auth-dialog-provider|auth-return|session)))/;

// What forms are made of: for the dialog, the profile and the reset page, and for nobody who only looks.
const FORM_SOURCES =
  /src\/web\/(lib\/(auth\/(account-rules|auth-failure)|browser\/(use-action|use-faults|use-focus-on-close))|components\/(failure-notice|field|panel|password-field|submit-button))\./;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  define: { __SITE_ORIGIN__: JSON.stringify(SITE_ORIGIN_PLACEHOLDER) },
  build: {
    // light-dark() must reach the browser as written: a night section inside a light page turns its colours by itself.
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page needs in two files, not thirty: smaller compressed together, and fewer journeys on a phone.
        codeSplitting: {
          groups: [
            { name: "vendor", test: SHARED_LIBRARIES, priority: 3 },
            { name: "frame", test: (id) => SHARED_SOURCES.test(id) && !FORM_SOURCES.test(id), priority: 2 },
            { name: "forms", test: FORM_SOURCES, priority: 1 },
          ],
        },
        assetFileNames(asset) {
          const locale = /locales\/([a-z]{2})\/[a-z]+\.json$/.exec(asset.originalFileNames[0] ?? "");
          return locale
            ? `assets/locales/${locale[1]}/[name]-[hash][extname]`
            : "assets/[name]-[hash][extname]";
        },
      },
    },
  },
});
