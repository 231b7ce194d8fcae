import type { Commands, Presses } from "../conversation/subject.ts";
import { deleteInChat, exportInChat, pressDeleteAccount } from "./own-account.ts";

export const ACCOUNT_COMMANDS = {
  export: { run: exportInChat },
  delete: { run: deleteInChat },
} as const satisfies Commands;

export const ACCOUNT_PRESSES = { "delete-account": { run: pressDeleteAccount } } as const satisfies Presses;
