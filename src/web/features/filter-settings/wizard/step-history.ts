/**
 * Each step of the wizard is an entry of the browser's history, so that Back goes back one step, and asks about leaving only on the first:
 *
 * [home] [1] ─► [1, 2] ─► [1, 2, 3]     an entry holds the steps that lead to it
 *
 * After saving, the history returns to the first step, from where Back leads to the page before the wizard.
 */
import { type Dispatch, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { type Location, useLocation, useNavigationType } from "react-router";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import type { FormAction, FormState, Step } from "../form/form-state.ts";

interface StepEntry {
  /** The key of the entry that the page was opened with: all its steps are one page. */
  page: string;
  /** The same page in another language starts again. */
  path: string;
  trail: readonly Step[];
}

const FIRST: readonly Step[] = [1];

export function pageKeyOf(location: Location<unknown>): string {
  return stepEntryOf(location)?.page ?? location.key;
}

function stepEntryOf({ pathname, state }: Location<unknown>): StepEntry | null {
  if (typeof state !== "object" || state === null || !("steps" in state)) return null;
  // Only this module writes it; the browser keeps it with the entry.
  const entry = state.steps as StepEntry;
  return entry.path === pathname ? entry : null;
}

/** How many entries back the step is; undefined if it is not part of the trail. */
export function entriesBack(trail: readonly Step[], step: Step): number | undefined {
  const at = trail.lastIndexOf(step);
  return at < 0 ? undefined : trail.length - 1 - at;
}

interface StepHistory {
  goTo(step: Step): void;
  /** Whether this is the entry that the page was opened with. */
  isAtStart: boolean;
}

/** `furthest` is the last step that the typed values allow. */
export function useStepHistory(
  state: FormState,
  dispatch: Dispatch<FormAction>,
  furthest: Step,
): StepHistory {
  const location: Location<unknown> = useLocation();
  const navigate = useNavigate();
  const trail = stepEntryOf(location)?.trail ?? FIRST;
  const { write, latestTrail } = useWriteEntry(location, trail);
  useFollowHistory(location, trail, { state, dispatch, furthest });
  useEntriesForDraft(trail, state, write);
  useWayOut(location.key, trail, state.mode);
  const goTo = (step: Step) => {
    const from = latestTrail();
    const back = entriesBack(from, step);
    if (back !== undefined && back > 0) {
      void navigate(-back);
      return;
    }
    dispatch({ type: "step-taken", step });
    if (back === 0) return;
    const before = from.filter((one) => one < step);
    void write([...before, step], { replace: before.length < from.length });
  };
  return { goTo, isAtStart: trail.length === 1 };
}

type WriteEntry = (trail: readonly Step[], options: { replace: boolean }) => Promise<void>;

/**
 * A written entry counts as the latest before the page is rendered with it, because another step may be taken in
 * between.
 */
function useWriteEntry(location: Location<unknown>, shownTrail: readonly Step[]) {
  const navigate = useNavigate();
  const isOwn = useNavigationType() !== "POP" && stepEntryOf(location) !== null;
  const latest = useRef(shownTrail);
  useLayoutEffect(() => {
    if (!isOwn) latest.current = shownTrail;
  }, [isOwn, shownTrail]);
  const { pathname: path, search, state } = location;
  const page = pageKeyOf(location);
  const write = useCallback<WriteEntry>(
    async (trail, { replace }) => {
      latest.current = trail;
      const kept = typeof state === "object" ? state : null;
      const steps: StepEntry = { page, path, trail };
      await navigate(path + search, { replace, preventScrollReset: true, state: { ...kept, steps } });
    },
    [navigate, path, search, state, page],
  );
  return { write, latestTrail: () => latest.current };
}

interface Followed {
  state: FormState;
  dispatch: Dispatch<FormAction>;
  furthest: Step;
}

/** Back and Forward go to the step of their entry, as far as the typed values allow. */
function useFollowHistory({ key }: Location<unknown>, trail: readonly Step[], followed: Followed): void {
  const type = useNavigationType();
  const seenKey = useRef(key);
  const { state, dispatch, furthest } = followed;
  const { mode } = state;
  useEffect(() => {
    if (seenKey.current === key) return;
    seenKey.current = key;
    if (type !== "POP" || mode !== "wizard") return;
    const asked = trail.at(-1) ?? 1;
    dispatch({ type: "step-taken", step: asked > furthest ? furthest : asked });
  }, [key, type, mode, trail, furthest, dispatch]);
}

/** A draft that is restored at a later step, e.g. in another language, gets the entries that lead there. */
function useEntriesForDraft(trail: readonly Step[], { mode, step }: FormState, write: WriteEntry): void {
  const shownMode = useRef<FormState["mode"]>(undefined);
  // Before anything on the page can be clicked.
  useLayoutEffect(() => {
    if (shownMode.current === mode) return;
    shownMode.current = mode;
    if (mode !== "wizard" || trail.at(-1) === step) return;
    void (async () => {
      await write([1], { replace: true });
      if (step >= 2) await write([1, 2], { replace: false });
      if (step === 3) await write([1, 2, 3], { replace: false });
    })();
  }, [mode, step, trail, write]);
}

/** When the wizard is gone, its history entries are left. */
function useWayOut(key: string, trail: readonly Step[], mode: FormState["mode"]): void {
  const navigate = useNavigate();
  const leftKey = useRef<string>(undefined);
  useEffect(() => {
    if (mode !== "edit" || trail.length === 1 || leftKey.current === key) return;
    leftKey.current = key;
    void navigate(1 - trail.length);
  }, [mode, trail, key, navigate]);
}
