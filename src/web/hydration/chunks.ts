/**
 * The scripts that pages share, in the order in which they need each other: read by the build, which divides the modules by it, by the
 * start script, which runs each in a task of its own, and by the weights of pages.
 */
interface Chunk {
  name: string;
  test: RegExp;
  /** Requests and draws the first data before the application runs. */
  isEarly?: true;
}

export const CHUNKS: readonly Chunk[] = [
  // Everybody's first bytes: entry.client and the little it stands on.
  {
    name: "first",
    test: /preload-helper|src\/(core\/(languages|site-path)|web\/hydration\/(pre-hydration|start-failure|start-when-needed)|web\/lib\/(auth\/session-key|backend\/site-config|browser\/(log|next-task|storage)|mini-app\/is-in-app|offline\/visited-pages|parts\/(new-build|reason-of-failure)|site\/(constants|outside-links|page-data|page-paths)))\./,
  },
  { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: "vendor", test: /node_modules\/(react-router|@tanstack\/(react-query|query-core))\// },
  // Not react-i18next's Trans, which only forms and dialogs use.
  { name: "i18n", test: /node_modules\/(i18next|react-i18next(?!.*\/Trans))\// },
  // What the landing page asks before its application comes: whether its promise is kept.
  {
    name: "promise",
    test: /src\/(text\/(labels|plain-texts|watch-interval)|web\/lib\/(backend\/(guest-interval|guest-tables|supabase)|mini-app\/app-storage))\./,
    isEarly: true,
  },
  // What requests the first finds before the application comes.
  {
    name: "request",
    test: /src\/web\/lib\/(auth\/stored-session|backend\/(finds|query-keys))\./,
    isEarly: true,
  },
  // What signs a person in inside Telegram, and shows the page as Telegram is.
  {
    name: "telegram",
    test: /src\/web\/lib\/mini-app\/(app-session|launch|start-app|telegram-client)\./,
    isEarly: true,
  },
  // What the demo shares with the pages, and the demo, which no other page loads.
  {
    name: "looks",
    test: /src\/(core\/listing\/(advert-url|amount)|web\/(lib\/(backend\/use-row-changes|browser\/(class-names|use-now))|components\/(lantern|lantern-mark|ui\/(button-variants|skeleton))))\.|node_modules\/(clsx|class-variance-authority)\//,
  },
  { name: "demo", test: /src\/web\/features\/landing\/live-demo\/(?!live-demo\.|formats-worker)/ },
  // What draws the first finds before the application comes.
  { name: "early", test: /src\/(text\/home-words|web\/hydration\/early-finds)\./, isEarly: true },
  // With what it stands on, as the core of the icons. Not what loads on demand: the open menus, the dialogs, the map.
  // Nor the code that queues changes and shows conflicts: public pages change nothing.
  {
    name: "frame",
    test: /src\/web\/(app\/start-app|hydration\/|lib\/(?!i18n\/search-name|mini-app\/(?!app-path)|changes\/(send-unsent|change-row|change)\.|auth\/(account-rules|auth-failure)\.)|components\/(?!form\/(?!busy-button)|ui\/(dropdown-menu|dialog|toaster)|map\/|parts\/(conflict-list|field-conflicts|missing-notice))|features\/layout\/(?!.*-items)|features\/auth\/(auth-calls|auth-dialog-provider|auth-return|session))/,
  },
  // What forms are made of: for the dialog, the profile and the reset page, and for nobody who only looks.
  {
    name: "forms",
    test: /src\/web\/(lib\/auth\/(account-rules|auth-failure)|components\/form\/(form|input-variants|password-field|text-field|use-faults|use-form))\./,
  },
  // The map library, for the pages that show a map.
  { name: "map-library", test: /node_modules\/(ol|rbush|quickselect|pbf|earcut|pmtiles|fflate)\// },
];

/** What the landing page loads by itself without importing it at the start: its demo. */
export const DEMO_MODULES = [
  "features/landing/live-demo/render-demo.tsx",
  "node_modules/@supabase/postgrest-js/",
];

/** The place of a file in the order above; the scripts of a page come last. */
export function rankOf(file: string): number {
  const rank = CHUNKS.findIndex(({ name }) => isOf(file, name));
  return rank === -1 ? CHUNKS.length : rank;
}

export function isEarly(file: string): boolean {
  return CHUNKS.some((chunk) => chunk.isEarly && isOf(file, chunk.name));
}

function isOf(file: string, name: string): boolean {
  return file.startsWith(`/assets/${name}-`);
}
