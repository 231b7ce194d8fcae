/**
 * Each step of the wizard is an address, so that the browser's Back goes back one step. An entry of the history knows the steps
 * of this wizard that lead to it, so that the buttons go back instead of adding entries.
 */
import { type Location, useLocation, useSearchParams } from "react-router";
import { useNavigate } from "#web/lib/site/use-navigate.ts";

export type Step = 1 | 2 | 3;

interface StepState {
  /** The same page in another language starts again. */
  path: string;
  trail: readonly Step[];
}

const NO_STEPS: readonly Step[] = [];

export function trailOf({ pathname, state }: Location<unknown>): readonly Step[] {
  if (typeof state !== "object" || state === null || !("steps" in state)) return NO_STEPS;
  // Only this module writes it; the browser keeps it with the entry.
  const { path, trail } = state.steps as StepState;
  return path === pathname && Array.isArray(trail) ? trail : NO_STEPS;
}

/** `furthest` is the last step that the typed values allow. */
export function useSteps(furthest: Step): { step: Step; goTo(step: Step): void } {
  const location: Location<unknown> = useLocation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const trail = trailOf(location);
  const asked = Number(params.get("step"));
  const step = Math.min(asked === 2 || asked === 3 ? asked : 1, furthest) as Step;
  const goTo = (next: Step) => {
    const at = trail.lastIndexOf(next);
    if (at >= 0) {
      void navigate(at - trail.length);
      return;
    }
    if (next === step) return;
    const isOn = next > step;
    const steps: StepState = {
      path: location.pathname,
      trail: isOn ? [...trail, step] : trail.filter((one) => one < next),
    };
    const query = new URLSearchParams(params);
    if (next === 1) query.delete("step");
    else query.set("step", String(next));
    const kept = typeof location.state === "object" ? location.state : null;
    void navigate(`${location.pathname}?${query}`.replace(/\?$/, ""), {
      replace: !isOn,
      preventScrollReset: true,
      // Within the press, also while the part of the next step loads.
      flushSync: true,
      state: { ...kept, steps },
    });
  };
  return { step, goTo };
}
