import type { Commands, Presses } from "../conversation/subject.ts";
import { searches } from "./list-searches.ts";
import { pressList, pressSearch } from "./press-search.ts";
import { rename } from "./rename.ts";

export const SEARCHES_COMMANDS = {
  searches: { run: searches, isForAdministrators: true },
  rename: { run: rename, isForAdministrators: true },
} as const satisfies Commands;

export const SEARCHES_PRESSES = {
  "list-searches": { run: pressList },
  "open-search": { run: pressSearch },
  "pause-search": { run: pressSearch },
  "resume-search": { run: pressSearch },
  "rename-search": { run: pressSearch },
  "delete-search": { run: pressSearch },
  "delete-search-now": { run: pressSearch },
  "topic-here": { run: pressSearch },
  "topic-none": { run: pressSearch },
  "mute-search": { run: pressSearch, isForMembers: true },
  "unmute-search": { run: pressSearch, isForMembers: true },
} as const satisfies Presses;
