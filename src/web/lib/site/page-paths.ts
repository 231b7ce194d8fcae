/** Pages search engines may list. */
export const PUBLIC_PATHS = ["/", "/privacy", "/terms"] as const;

export const PAGE_PATHS = [
  ...PUBLIC_PATHS,
  "/finds",
  "/filter-settings",
  "/profile",
  "/reset-password",
] as const;

/** The path that the page for unknown addresses is built at; the server sends it for any unknown address. */
export const NOT_FOUND_PATH = "/404";
