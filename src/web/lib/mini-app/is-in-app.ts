/** Whether a page runs inside Telegram: all of them are below /app. */
export function isInApp(pathname: string): boolean {
  return /^(?:\/[a-z]{2})?\/app(?:\/|$)/.test(pathname);
}
