/** Pages search engines may list. */
export const PUBLIC_PATHS = ["/", "/privacy", "/terms"] as const;

export const PAGE_PATHS = [
  ...PUBLIC_PATHS,
  "/finds",
  "/filter-settings",
  "/profile",
  "/reset-password",
] as const;

/** Where the page for unknown addresses is built to; it is served at whatever address was asked for. */
export const NOT_FOUND_PATH = "/404";
