// Compares the server's answers with the model while requests overlap: an operation takes effect at some moment between
// its request and its answer, so every state that the answers so far allow is kept. If none is left, the server has done
// something that no order of the operations explains.
import { outcomesOf } from "./model.ts";
import { accountNamed, NOTHING, type Operation, type State } from "./model-state.ts";

export type Seen = {
  isOk: boolean;
  status: number;
  /** The account that the server entered. */
  userId?: string;
  places?: string[];
  /** The chats that hear of an account, among those asked for. */
  chats?: string[];
  /** Of a server error. */
  words?: string;
};

export class Disagreement extends Error {
  override name = "Disagreement";
  readonly operation: Operation;
  readonly seen: Seen;

  constructor(operation: Operation, seen: Seen, allowed: string[]) {
    super(`${JSON.stringify(operation)}\n  got ${JSON.stringify(seen)}\n  allowed: ${allowed.join(" or ")}`);
    this.operation = operation;
    this.seen = seen;
  }
}

/** `done`: operations without an answer yet that have taken effect in this state, and whether they will succeed. */
type Candidate = { state: State; done: Record<string, boolean> };

export type Linearizer = {
  begin: (operation: Operation) => void;
  end: (operation: Operation, seen: Seen) => void;
  /** One of the states that the answers allow. */
  state: () => State;
};

const MAX_CANDIDATES = 3_000;

type Answered = { operation: Operation; seen: Seen; isOverlapped: boolean; waiting: Operation[] };

/** What agrees with an answer, and what would have. */
type Agreement = { kept: Candidate[]; allowed: Set<string> };

export function createLinearizer(): Linearizer {
  let candidates: Candidate[] = [{ state: NOTHING, done: {} }];
  const waiting = new Map<string, { operation: Operation; isOverlapped: boolean }>();
  return {
    begin: (operation) => {
      const isOverlapped = waiting.size > 0;
      for (const one of waiting.values()) one.isOverlapped = true;
      waiting.set(operation.id, { operation, isOverlapped });
    },
    end: (operation, seen) => {
      const { isOverlapped = false } = waiting.get(operation.id) ?? {};
      waiting.delete(operation.id);
      const others = [...waiting.values()].map((one) => one.operation);
      const agreement: Agreement = { kept: [], allowed: new Set() };
      const answered = { operation, seen, isOverlapped, waiting: others };
      for (const candidate of candidates) compare(candidate, answered, agreement);
      const { kept, allowed } = agreement;
      if (kept.length === 0) throw new Disagreement(operation, seen, [...allowed]);
      candidates = unique(kept).slice(0, MAX_CANDIDATES);
    },
    state: () => candidates[0]?.state ?? NOTHING,
  };
}

function compare(candidate: Candidate, answered: Answered, agreement: Agreement): void {
  const { operation, seen, isOverlapped, waiting } = answered;
  const { [operation.id]: known, ...done } = candidate.done;
  const accept = (isOk: boolean, reached: Candidate) => {
    if (isOk === seen.isOk) keep(agreement, answered, reached);
    else agreement.allowed.add(isOk ? "success" : "refusal");
  };
  if (known !== undefined) {
    accept(known, { ...candidate, done });
    return;
  }
  // Refused because of the other request: no effect, whatever the model says of it alone.
  if (isOverlapped && !seen.isOk) agreement.kept.push(candidate);
  for (const before of ordersOf(candidate, waiting)) {
    for (const { isOk, next } of outcomesOf(before.state, operation))
      accept(isOk, { ...before, state: next });
  }
}

/** The candidate after none, some or all of these operations, in every order. */
function ordersOf(candidate: Candidate, operations: Operation[]): Candidate[] {
  const reached = [candidate];
  for (const operation of operations) {
    if (operation.id in candidate.done) continue;
    const others = operations.filter((other) => other !== operation);
    for (const { isOk, next } of outcomesOf(candidate.state, operation)) {
      const after = { state: next, done: { ...candidate.done, [operation.id]: isOk } };
      reached.push(...ordersOf(after, others));
    }
  }
  return reached;
}

/** Keeps a state if what else was seen agrees with it. */
function keep({ kept, allowed }: Agreement, { operation, seen }: Answered, candidate: Candidate): void {
  const { state } = candidate;
  const difference = differenceOf(state, operation, seen);
  if (difference !== undefined) {
    allowed.add(difference);
    return;
  }
  const id = state.sessions[operation.id]?.account ?? "";
  const account = state.accounts[id];
  if (seen.userId === undefined || !account || account.userId !== undefined) {
    kept.push(candidate);
    return;
  }
  const accounts = { ...state.accounts, [id]: { ...account, userId: seen.userId } };
  kept.push({ ...candidate, state: { ...state, accounts } });
}

function differenceOf(state: State, operation: Operation, seen: Seen): string | undefined {
  if (operation.kind === "read" && seen.isOk && seen.places) {
    const account = state.accounts[state.sessions[operation.session]?.account ?? ""];
    const expected = [...(account?.places ?? [])].sort();
    return String(expected) === String([...seen.places].sort()) ? undefined : `the places [${expected}]`;
  }
  if (operation.kind === "hear" && seen.chats) {
    const [, { chats = {} } = {}] = accountNamed(state, operation.userId);
    const isWrong = Object.entries(chats).some(
      ([chat, status]) => status !== "maybe" && (status === "live") !== seen.chats?.includes(chat),
    );
    const isForeign = seen.chats.some((chat) => !(chat in chats));
    return isWrong || isForeign ? `the chats ${JSON.stringify(chats)}` : undefined;
  }
  const known = state.accounts[state.sessions[operation.id]?.account ?? ""]?.userId;
  if (seen.userId !== undefined && known !== undefined && known !== seen.userId) return "another account";
  return undefined;
}

function unique(candidates: Candidate[]): Candidate[] {
  if (candidates.length === 1) return candidates;
  return [...new Map(candidates.map((one) => [JSON.stringify(one), one])).values()];
}
