/** Pages search engines may list. */
export const PUBLIC_PATHS = ["/", "/measured", "/privacy", "/terms"] as const;

/** Pages that are complete without scripts: the application starts at the first interaction. */
export const STATIC_PATHS = ["/", "/privacy", "/terms"] as const;

/** Pages of signed-in people. */
const PRIVATE_PATHS = ["/finds", "/filter-settings", "/profile"] as const;

/** What opens without a connection: all of it for signed-in people, the public pages that they visited for guests. */
export const OFFLINE_PATHS = [...PRIVATE_PATHS, ...PUBLIC_PATHS] as const;

/** Inside Telegram. */
const APP_PATHS = ["/app", "/app/finds", "/app/filter-settings"] as const;

export const PAGE_PATHS = [
  ...PUBLIC_PATHS,
  ...PRIVATE_PATHS,
  "/reset-password",
  "/confirm-email",
  "/stop-mails",
  ...APP_PATHS,
] as const;

/** The path that the page for unknown addresses is built at; the server sends it for any unknown address. */
export const NOT_FOUND_PATH = "/404";
