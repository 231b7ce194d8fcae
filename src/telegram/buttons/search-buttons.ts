import { row, uuid } from "./kit.ts";

const fields = { searchId: uuid };

/** "delete-search" asks for confirmation, "delete-search-now" confirms. "list-searches" goes back to the list. */
export const SEARCH_BUTTONS = {
  "mute-search": row("s", fields),
  "unmute-search": row("r", fields),
  "open-search": row("o", fields),
  "pause-search": row("p", fields),
  "resume-search": row("g", fields),
  "rename-search": row("i", fields),
  "delete-search": row("q", fields),
  "delete-search-now": row("f", fields),
  "topic-here": row("b", fields),
  "topic-none": row("c", fields),
  "list-searches": row("z", {}),
};
