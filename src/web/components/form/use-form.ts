import { useEffect, useMemo, useRef, useState } from "react";
import { useSession } from "../../lib/auth/session.ts";
import { nextTask } from "../../lib/browser/next-task.ts";
import { type ActionOptions, useAction } from "../../lib/browser/use-action.ts";
import { dropDraft, keepDraft, readDraft, type Typed } from "./drafts.ts";
import { type Faults, useFaults } from "./use-faults.ts";

interface FormOptions<Values, Output> extends Omit<ActionOptions<Values, Output>, "run"> {
  /** Saves the values. `before` is what was saved when the person began to change them: what the change replaces. */
  run(values: Values, before: Values): Promise<Output>;
  /** What is saved. A field that the person has not touched follows it; what was typed stays. */
  saved: Values;
  /** The typed values, if they live longer than the form. */
  draft?: { typed: Partial<Values>; onTyped(change: Partial<Values>): void };
  /** Of one person, the name under which what was typed is kept until it is saved or cancelled. Never for secrets. */
  keepAs?: string;
  /** In place of the name: what was typed before, and where it is kept. */
  keeps?: Keeps<Values>;
  /** Fields that are lists: what was typed goes together with what was saved elsewhere meanwhile. */
  merged?: { [Name in keyof Values]?: (fields: Merged<Values[Name]>) => Values[Name] };
  faultsOf?(values: Values): Faults;
}

interface Keeps<Values> {
  begun: Typed<Values>;
  keep(typed: Typed<Values>): void;
}

/** As it was when it was submitted: more may be typed while it runs. */
interface Submission<Values> {
  readonly values: Values;
  readonly before: Values;
  readonly typed: Partial<Values>;
}

export interface Merged<Value> {
  typed: Value;
  before: Value;
  saved: Value;
}

/**
 * A form: its values, their faults, and what a submission does. Faults are shown when it is submitted, the first one takes
 * the focus, and each disappears once it is fixed. A failure stays in the form until the next submission.
 */
export function useForm<Values extends object, Output = void>(options: FormOptions<Values, Output>) {
  const { saved, draft, keepAs, merged = {}, faultsOf, run, onSuccess, ...rest } = options;
  const named = useDraftAs<Values>(keepAs);
  const { begun, keep } = options.keeps ?? named;
  const [own, setOwn] = useState(() => fitting(begun, saved));
  const latest = useRef(own);
  useEffect(() => {
    latest.current = own;
    keep(own);
  }, [keep, own]);
  const shown = draft ? draft.typed : withMerged(own, saved, merged);
  const values: Values = { ...saved, ...shown };
  const before: Values = { ...saved, ...own.before, ...pick(saved, namesOf(merged)) };
  const action = useAction<Submission<Values>, Output>({
    ...rest,
    run: (sent) => run(sent.values, sent.before),
    onSuccess: async (output, sent) => {
      // Now, because the form may be closed by what follows.
      keep(afterSaving(latest.current, sent));
      const words = await onSuccess?.(output, sent.values);
      // Queries tell their pages in the next task: until then the form would show what was saved before.
      await nextTask();
      setOwn((typed) => afterSaving(typed, sent));
      return words;
    },
  });
  const submit = (sent: Values) => action.run({ values: sent, before, typed: own.typed });
  const checked = useFaults(faultsOf?.(values) ?? {}, () => submit(values));
  const set = (change: Partial<Values>) => {
    if (draft) {
      draft.onTyped(change);
      return;
    }
    const seen = pick(saved, namesOf(change));
    setOwn(({ typed, before: known }) => ({
      typed: { ...typed, ...change },
      before: { ...seen, ...known, ...pick(seen, namesOf(merged)) },
    }));
  };
  return {
    ...action,
    ...checked,
    run: submit,
    pendingInput: action.pendingInput?.values,
    failedInput: action.failedInput?.values,
    values,
    set,
    /** Forgets what was typed. */
    discard: () => {
      keep(NOTHING_TYPED);
      setOwn(NOTHING_TYPED);
    },
    isChanged: namesOf(values).some((name) => JSON.stringify(values[name]) !== JSON.stringify(saved[name])),
    /** What the field with this name needs. */
    field: <Name extends TextNames<Values>>(name: Name) => ({
      name,
      value: String(values[name]),
      fault: checked.faultOf(name),
      onValueChange: (value: string) => set({ [name]: value } as Partial<Values>),
    }),
  };
}

type TextNames<Values> = string &
  { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values];

export const NOTHING_TYPED = { typed: {}, before: {} };

function withMerged<Values extends object>(
  { typed, before }: Typed<Values>,
  saved: Values,
  merged: NonNullable<FormOptions<Values, unknown>["merged"]>,
): Partial<Values> {
  const shown = { ...typed };
  for (const name of namesOf(merged)) {
    const value = typed[name];
    if (value === undefined) continue;
    shown[name] = merged[name]?.({ typed: value, before: before[name] ?? saved[name], saved: saved[name] });
  }
  return shown;
}

function pick<Values extends object>(
  values: Partial<Values>,
  names: readonly (keyof Values)[],
): Partial<Values> {
  const known = names.filter((name) => name in values);
  return Object.fromEntries(known.map((name) => [name, values[name]])) as Partial<Values>;
}

function namesOf<Fields extends object>(fields: Fields): (keyof Fields)[] {
  return Object.keys(fields) as (keyof Fields)[];
}

/** What was typed while the form was being saved stays. */
function afterSaving<Values extends object>(
  { typed }: Typed<Values>,
  sent: Submission<Values>,
): Typed<Values> {
  const isLater = (name: keyof Values) =>
    typed[name] !== sent.typed[name] && typed[name] !== sent.values[name];
  return { typed: pick(typed, namesOf(typed).filter(isLater)), before: {} };
}

/** Another version may have kept other fields under the name. */
function fitting<Values extends object>({ typed, before }: Typed<Values>, saved: Values): Typed<Values> {
  const known = namesOf(saved).filter((name) => typeof typed[name] === typeof saved[name]);
  return { typed: pick(typed, known), before: pick(before, known) };
}

function useDraftAs<Values extends object>(name: string | undefined): Keeps<Values> {
  const userId = useSession().user?.id;
  return useMemo(() => {
    if (name === undefined || userId === undefined) return { begun: NOTHING_TYPED, keep: () => {} };
    return {
      begun: readDraft<Values>(userId, name) ?? NOTHING_TYPED,
      keep: (own) => {
        if (Object.keys(own.typed).length === 0) dropDraft(userId, name);
        else keepDraft(userId, name, own);
      },
    };
  }, [name, userId]);
}
