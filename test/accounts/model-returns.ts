// What a return from Google or Telegram does: it signs in, makes an account or links one.
import { decide, type Outcome, when } from "./decide.ts";
import { connectChat, deleteAccount, endPermission, endUnproved } from "./model-events.ts";
import {
  type Account,
  aliveness,
  both,
  findAccount,
  newAccount,
  type OperationOf,
  type State,
} from "./model-state.ts";

type Return = OperationOf<"return">;

export function returnFromProvider(state: State, operation: Return): Outcome[] {
  const flow = state.flows[operation.flow];
  if (!flow) return decide(state, "dead", () => {});
  if (flow.link !== null) return returnToLink(state, operation, { ...flow, link: flow.link });
  return flow.provider === "google"
    ? returnFromGoogle(state, operation)
    : returnFromTelegram(state, operation);
}

const useFlow = (draft: State, { flow }: Return) => {
  const used = draft.flows[flow];
  if (used) used.status = "dead";
};

function returnFromGoogle(state: State, operation: Return): Outcome[] {
  const { id, flow, person } = operation;
  const [owner, account] =
    findAccount(state, (one) => one.google === person) ??
    findAccount(state, (one) => one.mailbox === person) ??
    [];
  const may = both(state.flows[flow]?.status ?? "dead", when(account?.isSuspended !== true));
  return decide(
    state,
    may,
    (draft) => {
      useFlow(draft, operation);
      const entered = owner === undefined ? undefined : draft.accounts[owner];
      if (owner !== undefined && entered?.google === null && !entered.isProven) {
        endUnproved(draft, { account: owner });
        entered.password = null;
      }
      if (entered) entered.google = person;
      else draft.accounts[id] = newAccount({ mailbox: person, google: person, isProven: true });
      draft.codes[id] = { account: owner ?? id, status: "live" };
    },
    (draft) => useFlow(draft, operation),
  );
}

function returnFromTelegram(state: State, operation: Return): Outcome[] {
  const { id, flow, person, hasBot } = operation;
  const [owner, account] = findAccount(state, (one) => one.telegram === person) ?? [];
  const made = state.made[person] ?? 0;
  const mayEnter = account ? when(!account.isSuspended) : made < 2 ? "live" : "maybe";
  return decide(
    state,
    both(state.flows[flow]?.status ?? "dead", mayEnter),
    (draft) => {
      useFlow(draft, operation);
      if (owner === undefined) draft.made[person] = made + 1;
      const entered = owner === undefined ? newAccount({ telegram: person }) : draft.accounts[owner];
      if (entered) draft.accounts[owner ?? id] = entered;
      if (entered && hasBot) connectChat(entered, person);
      draft.codes[id] = { account: owner ?? id, status: "live" };
    },
    (draft) => useFlow(draft, operation),
  );
}

/** A Telegram user with an account of its own is refused, unless that account is empty and makes room. */
function returnToLink(
  state: State,
  operation: Return,
  { link: session, status }: State["flows"][string] & { link: string },
): Outcome[] {
  const { flow, person, hasBot } = operation;
  const id = state.sessions[session]?.account ?? "";
  const account = state.accounts[id];
  const isAllowed = state.permissions[flow]?.status ?? "dead";
  const [other, otherAccount] = findAccount(state, (one) => one.telegram === person && one !== account) ?? [];
  const hasRoom = when(account?.telegram === null || account?.telegram === person);
  const may = both(status, aliveness(state, session), isAllowed, hasRoom, when(isReplaceable(otherAccount)));
  return decide(
    state,
    may,
    (draft) => {
      useFlow(draft, operation);
      if (other !== undefined) deleteAccount(draft, other);
      const linked = draft.accounts[id];
      if (!linked) return;
      endPermission(draft, session, linked.telegram === person ? "maybe" : "dead");
      linked.telegram = person;
      // The chat of a replaced account stays connected, now to this one.
      const moved = otherAccount?.chats[person];
      if (moved !== undefined && moved !== "dead") linked.chats[person] = moved;
      else if (hasBot) connectChat(linked, person);
    },
    (draft) => {
      useFlow(draft, operation);
      endPermission(draft, session, "maybe");
    },
  );
}

/** Nothing in it was made by its owner, and Telegram is its only way in. */
const isReplaceable = (account: Account | undefined): boolean =>
  !account ||
  (account.places.length === 0 &&
    account.mailbox === null &&
    account.google === null &&
    !account.isSuspended);
