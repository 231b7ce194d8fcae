// How the product stops: in reverse order of its start, each step with a time of its own, all of them within
// eight seconds: whoever started the product ends it by force after nine, and has to be gone itself after ten. A step that fails or takes too long is told and left behind: above all the database must not stay.
import { withTimeout } from "#platform/timing.ts";

type StopStep = {
  name: string;
  withinMs: number;
  /** Gets the time it has, which is less where the steps before it have used up theirs. */
  act: (withinMs: number) => Promise<unknown>;
};

export type StopSteps = {
  push: (step: StopStep) => void;
  /** Calling again waits for the same stop. */
  run: () => Promise<void>;
};

const ALL_WITHIN_MS = 8_000;
const AT_LEAST_MS = 200;

export function createStopSteps(onTrouble: (name: string, error: unknown) => void): StopSteps {
  const steps: StopStep[] = [];
  let running: Promise<void> | undefined;
  const runAll = async () => {
    const endAt = performance.now() + ALL_WITHIN_MS;
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { name, act } = step;
      const withinMs = Math.max(AT_LEAST_MS, Math.min(step.withinMs, endAt - performance.now()));
      await withTimeout(withinMs, act(withinMs)).catch((error: unknown) => onTrouble(name, error));
    }
  };
  return {
    push: (step) => void steps.push(step),
    run: () => {
      running ??= runAll();
      return running;
    },
  };
}
