// What the requirements say about accounts and everything that can open, join, link, change or hear one. Written from
// READ-10, TIME-01 to TIME-05, START-05, START-06, DOOR-04, DOOR-06 and DOOR-08, never from the implementation.

/** "maybe": the requirements leave it open, so both answers are right. */
export type Status = "live" | "dead" | "maybe";

export type Account = {
  mailbox: string | null;
  password: string | null;
  /** Its owner has proved the address. */
  isProven: boolean;
  google: string | null;
  telegram: string | null;
  isSuspended: boolean;
  /** Whether its grants were ended at some time: launches that were signed before open nothing. */
  ended: Status;
  places: string[];
  /** By Telegram user: whether that private chat hears of this account. */
  chats: Record<string, Status>;
  /** How the server calls it, once an answer has said so. */
  userId?: string;
};

export type Session = {
  account: string;
  status: Status;
  /** Refresh tokens are counted from 0; this one is in use, and the one before it may be repeated. */
  token: number;
  /** How it was opened, if that proves its holder for a while. */
  proof: "recovery" | "oauth" | null;
  proofStatus: Status;
};

/** By the id of the operation that made them; accounts too. */
export type State = {
  accounts: Record<string, Account>;
  sessions: Record<string, Session>;
  /** Provider sign-ins in progress; `link`: the session whose account the provider's account is linked to. */
  flows: Record<string, { provider: Provider; browser: number; link: string | null; status: Status }>;
  codes: Record<string, { account: string; status: Status }>;
  links: Record<string, { kind: "reset" | "sign-up"; account: string; status: Status }>;
  /** By flow: it may link a Telegram user to the account of the session that began it. */
  permissions: Record<string, { status: Status }>;
  /** Of the Mini App: the session that each opened last. */
  launches: Record<string, { account: string; session: string }>;
  /** Accounts made by each Telegram user: the third within a week is refused. */
  made: Record<string, number>;
};

export type Provider = "google" | "telegram";
export type Scope = "local" | "others" | "global";

type Act =
  | { kind: "sign-up"; mailbox: string; password: string }
  | { kind: "sign-in"; mailbox: string; password: string }
  | { kind: "refresh"; session: string; token: number }
  | { kind: "read"; session: string }
  | { kind: "save-place"; session: string; name: string }
  | { kind: "sign-out"; session: string; scope: Scope }
  | { kind: "change-password"; session: string; password: string | null; next: string }
  | { kind: "request-reset"; mailbox: string }
  | { kind: "open-reset"; link: string }
  | { kind: "answer-sign-up-mail"; link: string; isMine: boolean }
  | { kind: "begin-sign-in"; provider: Provider; browser: number }
  | { kind: "begin-link"; session: string; browser: number }
  | { kind: "return"; flow: string; person: string; hasBot: boolean }
  | { kind: "exchange"; code: string }
  /** `repeats`: the operation that used the same data first. `isEarlier`: signed before the sequence. */
  | { kind: "launch"; person: string; repeats: string | null; isEarlier: boolean }
  | { kind: "allow-link"; session: string; flow: string; password: string | null }
  | { kind: "unlink"; session: string; password: string | null; keepsChat: boolean }
  | { kind: "delete"; session: string; password: string | null }
  | { kind: "suspend"; userId: string }
  | { kind: "lift"; userId: string }
  | { kind: "hear"; userId: string };

export type Operation = Act & { id: string };
export type OperationOf<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

export const NOTHING: State = {
  ...{ accounts: {}, sessions: {}, flows: {}, codes: {}, links: {}, permissions: {}, launches: {}, made: {} },
};

export function newAccount(parts: Partial<Account>): Account {
  return {
    ...{ mailbox: null, password: null, isProven: false, google: null, telegram: null, isSuspended: false },
    ...{ ended: "dead", places: [], chats: {}, ...parts },
  };
}

export const newSession = (account: string, proof: Session["proof"] = null): Session => ({
  ...{ account, status: "live", token: 0, proof, proofStatus: proof ? "live" : "dead" },
});

export const accountOf = (state: State, session: string): Account | undefined =>
  state.accounts[state.sessions[session]?.account ?? ""];

export function aliveness(state: State, session: string): Status {
  const account = accountOf(state, session);
  return !account || account.isSuspended ? "dead" : (state.sessions[session]?.status ?? "dead");
}

export const findAccount = (
  state: State,
  is: (account: Account) => boolean,
): [id: string, account: Account] | undefined => Object.entries(state.accounts).find(([, one]) => is(one));

/** Which operation made an account may differ between the states that the answers allow; the server's name does not. */
export const accountNamed = (state: State, userId: string) =>
  findAccount(state, (one) => one.userId === userId) ?? [];

/** The less certain of two: what needs both. */
export function both(...all: Status[]): Status {
  if (all.includes("dead")) return "dead";
  return all.includes("maybe") ? "maybe" : "live";
}

/** Marks what may have ended; what is dead stays so. */
export const loosen = (one: { status: Status }): void => {
  if (one.status === "live") one.status = "maybe";
};
