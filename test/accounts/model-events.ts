// What each event ends. Every function changes the given draft of a state.
import { type Account, loosen, type State, type Status } from "./model-state.ts";

type Ending = { account: string; kept?: string | undefined };

const sessionsOf = (draft: State, account: string) =>
  Object.entries(draft.sessions).filter(([, session]) => session.account === account);

export function endSession(draft: State, id: string): void {
  const session = draft.sessions[id];
  if (session) session.status = "dead";
  endPermission(draft, id);
}

/** Of the links that this session has begun. */
export function endPermission(draft: State, session: string, status: Status = "dead"): void {
  for (const [flow, permission] of Object.entries(draft.permissions)) {
    if (draft.flows[flow]?.link === session && permission.status !== "dead") permission.status = status;
  }
}

/** Sessions but the kept one, codes that nobody has exchanged, and permissions to link. */
function endEntries(draft: State, { account, kept }: Ending): void {
  for (const [id] of sessionsOf(draft, account)) if (id !== kept) endSession(draft, id);
  for (const code of Object.values(draft.codes)) if (code.account === account) code.status = "dead";
  const ended = draft.accounts[account];
  if (ended) ended.ended = "live";
}

const linksOf = (draft: State, account: string) =>
  Object.values(draft.links).filter((link) => link.account === account);

/** The question of the sign-up mail stays open. */
const resetsOf = (draft: State, account: string) =>
  linksOf(draft, account).filter(({ kind }) => kind === "reset");

export function endPassword(draft: State, { account, kept }: Ending): void {
  endEntries(draft, { account, kept });
  if (kept !== undefined) endPermission(draft, kept);
  for (const link of resetsOf(draft, account)) link.status = "dead";
}

/** The first proof of an address without an answer to the sign-up mail: what could act or hear ends. */
export function endUnproved(draft: State, ending: Ending): void {
  const account = draft.accounts[ending.account];
  if (!account) return;
  endPassword(draft, ending);
  account.isProven = true;
  account.telegram = null;
  for (const link of linksOf(draft, ending.account)) link.status = "dead";
  for (const chat of Object.keys(account.chats)) account.chats[chat] = "dead";
}

export function signOut(draft: State, session: string, scope: "local" | "others" | "global"): void {
  const account = draft.sessions[session]?.account ?? "";
  if (scope === "local") {
    endSession(draft, session);
    for (const code of Object.values(draft.codes)) if (code.account === account) loosen(code);
    return;
  }
  endEntries(draft, { account, kept: scope === "others" ? session : undefined });
  endPermission(draft, session, "maybe");
  for (const link of resetsOf(draft, account)) loosen(link);
}

export function endTelegram(draft: State, ending: Ending & { keepsChat: boolean }): void {
  const account = draft.accounts[ending.account];
  if (!account || account.telegram === null) return;
  const chat = account.telegram;
  account.telegram = null;
  endEntries(draft, ending);
  if (ending.kept !== undefined) endPermission(draft, ending.kept);
  for (const link of resetsOf(draft, ending.account)) loosen(link);
  if (!ending.keepsChat && chat in account.chats) account.chats[chat] = "dead";
}

export function suspend(draft: State, id: string): void {
  const account = draft.accounts[id];
  if (!account) return;
  account.isSuspended = true;
  endEntries(draft, { account: id });
  for (const link of linksOf(draft, id)) loosen(link);
  for (const chat of Object.keys(account.chats)) {
    if (account.chats[chat] === "live") account.chats[chat] = "maybe";
  }
}

export function deleteAccount(draft: State, id: string): void {
  endEntries(draft, { account: id });
  for (const link of linksOf(draft, id)) link.status = "dead";
  delete draft.accounts[id];
}

/** The first consent connects the chat; one that ended before may stay as it is. */
export function connectChat(account: Account, chat: string): void {
  const known = account.chats[chat];
  account.chats[chat] = known === undefined || known === "live" ? "live" : "maybe";
}
