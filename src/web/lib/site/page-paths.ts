/** Pages search engines may list. */
export const PUBLIC_PATHS = ["/", "/measured", "/privacy", "/terms"] as const;

/** Pages that are complete without scripts: the application starts at the first interaction. */
export const STATIC_PATHS = ["/", "/privacy", "/terms"] as const;

/** Pages of signed-in people, which open without a connection. */
export const PRIVATE_PATHS = ["/finds", "/filter-settings", "/profile"] as const;

export const PAGE_PATHS = [
  ...PUBLIC_PATHS,
  ...PRIVATE_PATHS,
  "/reset-password",
  "/confirm-email",
  "/stop-mails",
] as const;

/** The path that the page for unknown addresses is built at; the server sends it for any unknown address. */
export const NOT_FOUND_PATH = "/404";
