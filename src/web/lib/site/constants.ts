/** Numbers that the specification fixes for the web app (OPS-01, OPS-02). */
export const DEMO_LISTING_LIMIT = 5;
export const PASSWORD_MIN_LENGTH = 6;
export const RESET_REDIRECT_MS = 2000;
export const AUTH_RETRY_MS = 2000;
export const WIZARD_PROGRESS_PERCENT = [33, 66, 100] as const;

export const TOAST = { visible: 3, durationMs: 4000, widthPx: 356, gapPx: 14 } as const;

export const TEXT_LOADING = { maxRetries: 5, retryTimeout: 350, maxParallelReads: 10 } as const;

export const STORAGE_KEYS = {
  language: "i18nextLng",
  cookieConsent: "cookieConsent",
  theme: "theme",
  /** Whether the single-letter shortcuts of the list of finds are on. */
  findKeys: "findKeys",
  /** Whether something is stored for visits without a connection. */
  offlineData: "offlineData",
} as const;

export const TAB_STORAGE_KEYS = {
  /** What was typed and not saved; see drafts.ts. */
  drafts: "filterDraft",
  /** The session of a reset link; see recovery-session.ts. */
  recovery: "reset-password",
  /** The page that a link opens before the page is hydrated. */
  arrival: "arrival",
  /** What Telegram gave the page when it opened it; see mini-app/launch.ts. */
  launch: "telegramLaunch",
  /** The script for which a page was reloaded; see entry-failure.ts. */
  reloadedFor: "reloadedFor",
} as const;

/** After this time without an answer a page says that it takes longer than usual (CALM-03). */
export const SLOW_MS = 4_000;
/** How long a failed load waits for its next attempt: twice as long each time, up to the longest. */
export const LOAD_DELAY_MS = { first: 2_000, longest: 60_000 } as const;

/** The id of the element that shows the demo; its texts are in its data attribute. */
export const DEMO_PLACE_ID = "live-demo";
export const EARLY_PLACE_ID = "early-finds";
