/** What the addresses of private pages may say: of the finds with their map and market, and of the searches. */
export const PAGE_PARAMETERS: ReadonlySet<string> = new Set([
  ...["view", "home", "search", "state", "zone", "min", "max", "order"],
  ...["town", "operation", "size", "level", "by", "like", "link", "step"],
]);
