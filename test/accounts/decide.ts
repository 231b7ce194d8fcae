// Possible answers of the model, each with the state after it.
import type { State, Status } from "./model-state.ts";

export type Outcome = { isOk: boolean; next: State };

export type Change = (draft: State) => void;

const changed = (state: State, change: Change): State => {
  const draft = structuredClone(state);
  change(draft);
  return draft;
};

/** `may` decides; each possible success has an effect of its own. */
export function decide(
  state: State,
  may: Status,
  effects: Change | Change[],
  onRefusal: Change = () => {},
): Outcome[] {
  const successes = [effects].flat().map((effect) => ({ isOk: true, next: changed(state, effect) }));
  const refusals = [{ isOk: false, next: changed(state, onRefusal) }];
  return [...(may === "dead" ? [] : successes), ...(may === "live" ? [] : refusals)];
}

export const when = (condition: boolean): Status => (condition ? "live" : "dead");
