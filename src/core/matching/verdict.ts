import { type RequestFilter, settles } from "../search/official-request.ts";
import type { Search } from "../search/search.ts";

/** Whether a listing is what a search asks for, as far as the listing's own facts go. */
export type Verdict =
  | { readonly answer: "yes" }
  | { readonly answer: "no"; readonly because: Part }
  | { readonly answer: "cannot-tell"; readonly undecided: readonly Undecided[] };

/** A field of the search. */
export type Part = keyof Search;

export interface Undecided {
  readonly part: Part;
  readonly settledBy: Settler;
}

/** Who could decide what the listing leaves open. Where neither is at hand, nobody can. */
export type Settler =
  /** The official API, asked with this filter. */
  | ({ readonly by: "request" } & RequestFilter)
  /** A source that takes the search's URL, the portal applying its own filters. */
  | { readonly by: "search-by-url" };

/** One part's share of a verdict. */
export type Opinion = "yes" | "no" | Undecided;

export const YES: Verdict = { answer: "yes" };

const BY_URL: Settler = { by: "search-by-url" };

export function undecided(part: Part, filter?: RequestFilter): Undecided {
  if (!filter) return { part, settledBy: BY_URL };
  return { part, settledBy: { by: "request", parameter: filter.parameter, value: filter.value } };
}

/** One of several alternatives is enough. */
export function anyOf<Wish>(wishes: readonly Wish[], opinionOn: (wish: Wish) => Opinion): Opinion {
  let best: Opinion = "no";
  for (const wish of wishes) {
    const opinion = opinionOn(wish);
    if (opinion === "yes") return "yes";
    if (opinion !== "no" && best === "no") best = opinion;
  }
  return best;
}

/** The verdict on a listing that came in answer to a request with these filters. */
export function settleVerdict(verdict: Verdict, sent: readonly RequestFilter[]): Verdict {
  if (verdict.answer !== "cannot-tell") return verdict;
  const open = verdict.undecided.filter(
    ({ settledBy }) => settledBy.by !== "request" || !sent.some((filter) => settles(filter, settledBy)),
  );
  return open.length === 0 ? YES : { answer: "cannot-tell", undecided: open };
}
