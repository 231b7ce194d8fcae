// The answers that an operation may get, each with the state after it.
import { type Change, decide, type Outcome, when } from "./decide.ts";
import {
  deleteAccount,
  endPassword,
  endPermission,
  endSession,
  endTelegram,
  endUnproved,
  signOut,
  suspend,
} from "./model-events.ts";
import { returnFromProvider } from "./model-returns.ts";
import {
  accountNamed,
  accountOf,
  aliveness,
  both,
  findAccount,
  loosen,
  newAccount,
  newSession,
  type Operation,
  type OperationOf,
  type State,
  type Status,
} from "./model-state.ts";

type Rules = {
  [Kind in Operation["kind"]]: (state: State, operation: OperationOf<Kind>) => Outcome[];
};

export function outcomesOf(state: State, operation: Operation): Outcome[] {
  const rule = RULES[operation.kind] as (state: State, operation: Operation) => Outcome[];
  return rule(state, operation);
}

/** Whether the caller is proved: by the password given now, or by how the session was opened. */
function proofOf(state: State, session: string, password: string | null): Status {
  const account = accountOf(state, session);
  const known = state.sessions[session];
  if (!account || !known) return "dead";
  const opened = known.proof === "oauth" && account.password !== null ? "dead" : known.proofStatus;
  if (password === null || account.password === null) return opened;
  if (password === account.password) return "live";
  return opened === "dead" ? "dead" : "maybe";
}

/** A proof by the way in serves one call. With the password there are two, and the call may use either. */
const useProof = (draft: State, session: string, password: string | null) => {
  const known = draft.sessions[session];
  const isByPassword = password !== null && password === accountOf(draft, session)?.password;
  if (known && known.proofStatus !== "dead") known.proofStatus = isByPassword ? "maybe" : "dead";
};

const RULES: Rules = {
  "sign-up": (state, { id, mailbox, password }) =>
    decide(state, when(!findAccount(state, (one) => one.mailbox === mailbox)), (draft) => {
      draft.accounts[id] = newAccount({ mailbox, password });
      draft.sessions[id] = newSession(id);
      draft.links[id] = { kind: "sign-up", account: id, status: "live" };
    }),
  "sign-in": (state, { id, mailbox, password }) => {
    const [owner, account] = findAccount(state, (one) => one.mailbox === mailbox) ?? [];
    const may = when(account?.password === password && !account.isSuspended);
    return decide(state, may, (draft) => {
      draft.sessions[id] = newSession(owner ?? "");
    });
  },
  refresh: (state, { session, token }) => {
    const known = state.sessions[session];
    const current = known?.token ?? 0;
    const isRepeated = token < current;
    // Tabs and lost answers repeat the parent of the token in use. An older token may be a copy.
    const may = both(aliveness(state, session), token < current - 1 ? "maybe" : "live");
    return decide(
      state,
      may,
      (draft) => {
        const refreshed = draft.sessions[session];
        if (refreshed && !isRepeated) refreshed.token += 1;
      },
      (draft) => {
        const refused = draft.sessions[session];
        if (refused) refused.status = "dead";
      },
    );
  },
  read: (state, { session }) => decide(state, aliveness(state, session), () => {}),
  "save-place": (state, { session, name }) =>
    decide(state, aliveness(state, session), (draft) => accountOf(draft, session)?.places.push(name)),
  "sign-out": (state, { session, scope }) => {
    const isAlive = aliveness(state, session);
    // One that has ended meanwhile ends no other, whatever the answer.
    const late = isAlive === "live" ? [] : [{ isOk: true, next: state }];
    return [...decide(state, isAlive, (draft) => signOut(draft, session, scope)), ...late];
  },
  "change-password": (state, operation) => changePassword(state, operation),
  "request-reset": (state, { id, mailbox }) => {
    const [owner] = findAccount(state, (one) => one.mailbox === mailbox) ?? [];
    return decide(state, "live", (draft) => {
      if (owner === undefined) return;
      const earlier = Object.values(draft.links).filter(
        (link) => link.account === owner && link.kind === "reset" && link.status !== "dead",
      );
      earlier.forEach(loosen);
      draft.links[id] = { kind: "reset", account: owner, status: earlier.length > 0 ? "maybe" : "live" };
    });
  },
  "open-reset": (state, operation) => openReset(state, operation),
  "answer-sign-up-mail": (state, { link, isMine }) => {
    const known = state.links[link];
    const account = known?.account ?? "";
    const may = both(known?.status ?? "dead", when(account in state.accounts));
    return decide(state, may, (draft) => {
      const used = draft.links[link];
      if (used) used.status = "dead";
      const kept = draft.accounts[account];
      if (!isMine) deleteAccount(draft, account);
      else if (kept) kept.isProven = true;
    });
  },
  "begin-sign-in": (state, { id, provider, browser }) =>
    decide(state, "live", (draft) => {
      draft.flows[id] = { provider, browser, link: null, status: "live" };
    }),
  "begin-link": (state, { id, session, browser }) =>
    decide(state, aliveness(state, session), (draft) => {
      draft.flows[id] = { provider: "telegram", browser, link: session, status: "live" };
    }),
  return: returnFromProvider,
  exchange: (state, { id, code }) => {
    const { account = "", status = "dead" } = state.codes[code] ?? {};
    const mayEnter = when(state.accounts[account]?.isSuspended === false);
    const use: Change = (draft) => {
      const used = draft.codes[code];
      if (used) used.status = "dead";
    };
    return decide(
      state,
      both(status, mayEnter),
      (draft) => {
        use(draft);
        draft.sessions[id] = newSession(account, "oauth");
      },
      use,
    );
  },
  launch: (state, operation) => launch(state, operation),
  "allow-link": (state, { session, flow, password }) => {
    const isOwn = state.flows[flow]?.link === session ? state.flows[flow].status : "dead";
    const hasOne = accountOf(state, session)?.telegram != null;
    const proof = proofOf(state, session, password);
    const may = both(aliveness(state, session), proof, isOwn, hasOne ? "maybe" : "live");
    return decide(state, may, (draft) => {
      // A session has one permission at a time.
      endPermission(draft, session, "maybe");
      draft.permissions[flow] = { status: "live" };
      useProof(draft, session, password);
    });
  },
  unlink: (state, { session, password, keepsChat }) => {
    const account = accountOf(state, session);
    const hasAnotherWayIn = account?.password != null || account?.google != null;
    const may = both(aliveness(state, session), proofOf(state, session, password), when(hasAnotherWayIn));
    return decide(state, may, (draft) => {
      useProof(draft, session, password);
      endTelegram(draft, { account: draft.sessions[session]?.account ?? "", kept: session, keepsChat });
    });
  },
  delete: (state, { session, password }) => {
    const may = both(aliveness(state, session), proofOf(state, session, password));
    return decide(state, may, (draft) => deleteAccount(draft, draft.sessions[session]?.account ?? ""));
  },
  suspend: (state, { userId }) =>
    decide(state, "live", (draft) => {
      const [id] = accountNamed(draft, userId);
      if (id !== undefined) suspend(draft, id);
    }),
  lift: (state, { userId }) =>
    decide(state, "live", (draft) => {
      const [, account] = accountNamed(draft, userId);
      if (account) account.isSuspended = false;
    }),
  hear: (state) => decide(state, "live", () => {}),
};

/** A repeated launch replaces the session that it opened, and opens none if that has ended. The first may be the later. */
function launch(state: State, { id, person, repeats, isEarlier }: OperationOf<"launch">): Outcome[] {
  const [owner = "", account] = findAccount(state, (one) => one.telegram === person) ?? [];
  const earlier = state.launches[repeats ?? id];
  const isOfAnother = earlier !== undefined && earlier.account !== owner;
  const opened = earlier === undefined ? "live" : (state.sessions[earlier.session]?.status ?? "dead");
  const may = both(
    when(account?.isSuspended === false),
    isEarlier ? NOT[account?.ended ?? "dead"] : "live",
    isOfAnother ? "dead" : opened,
  );
  return decide(state, may, (draft) => {
    if (earlier !== undefined && !isOfAnother) endSession(draft, earlier.session);
    draft.sessions[id] = newSession(owner);
    draft.launches[repeats ?? id] = { account: owner, session: id };
  });
}

const NOT: Record<Status, Status> = { live: "dead", maybe: "maybe", dead: "live" };

function changePassword(state: State, operation: OperationOf<"change-password">): Outcome[] {
  const { session, password, next } = operation;
  const account = accountOf(state, session);
  const proof = proofOf(state, session, password);
  const isNew = account?.mailbox != null && next !== account.password;
  const isRecovery = state.sessions[session]?.proof === "recovery" && password === null;
  return decide(state, both(aliveness(state, session), proof, when(isNew)), (draft) => {
    const id = draft.sessions[session]?.account ?? "";
    const isFirstProof = isRecovery && draft.accounts[id]?.isProven === false;
    (isFirstProof ? endUnproved : endPassword)(draft, { account: id, kept: session });
    const [changedAccount, kept] = [draft.accounts[id], draft.sessions[session]];
    if (changedAccount) changedAccount.password = next;
    if (kept) kept.proofStatus = "dead";
  });
}

/** Opening the link may end what a new password will end, or leave that to the new password. */
function openReset(state: State, { id, link }: OperationOf<"open-reset">): Outcome[] {
  const { account: owner = "", status = "dead" } = state.links[link] ?? {};
  const account = state.accounts[owner];
  const open: Change = (draft) => {
    const used = draft.links[link];
    if (used) used.status = "dead";
    for (const other of Object.values(draft.links)) {
      if (other.account === owner && other.kind === "reset") loosen(other);
    }
    draft.sessions[id] = newSession(owner, "recovery");
  };
  const effects: Change[] = [
    open,
    (draft) => {
      (account?.isProven === false ? endUnproved : endPassword)(draft, { account: owner });
      open(draft);
    },
    (draft) => {
      (account?.isProven === false ? endUnproved : endPassword)(draft, { account: owner });
      open(draft);
      const opened = draft.accounts[owner];
      if (opened) opened.password = null;
    },
  ];
  return decide(state, both(status, when(account?.isSuspended === false)), effects, (draft) => {
    const refused = draft.links[link];
    if (refused) loosen(refused);
  });
}
