// Shutdown: steps run in reverse order of the start, each with its own deadline, and all within eight seconds. The
// parent kills the product after nine and must be gone itself after ten. A step that fails or takes too long is logged
// and skipped: above all, the database must not be left running.
import { withTimeout } from "#platform/timing.ts";

type StopStep = {
  name: string;
  withinMs: number;
  /** Gets the time available, which is less if earlier steps have used theirs up. */
  act: (withinMs: number) => Promise<unknown>;
};

export type StopSteps = {
  push: (step: StopStep) => void;
  run: () => Promise<void>;
};

const ALL_WITHIN_MS = 8_000;
const AT_LEAST_MS = 200;

export function createStopSteps(onFailure: (name: string, error: unknown) => void): StopSteps {
  const steps: StopStep[] = [];
  let running: Promise<void> | undefined;
  const runAll = async () => {
    const endAt = performance.now() + ALL_WITHIN_MS;
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { name, act } = step;
      const withinMs = Math.max(AT_LEAST_MS, Math.min(step.withinMs, endAt - performance.now()));
      await withTimeout(withinMs, act(withinMs)).catch((error: unknown) => onFailure(name, error));
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
