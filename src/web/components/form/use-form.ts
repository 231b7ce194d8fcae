import { useEffect, useState } from "react";
import { nextTask } from "../../lib/browser/next-task.ts";
import { type ActionOptions, useAction } from "../../lib/browser/use-action.ts";
import { type Faults, useFaults } from "./use-faults.ts";

interface FormOptions<Values, Output> extends Omit<ActionOptions<Values, Output>, "run"> {
  /** Saves the values. `before` is what was saved when the person began to change them: what the change replaces. */
  run(values: Values, before: Values): Promise<Output>;
  /** What is saved. A field that the person has not touched follows it; what was typed stays. */
  saved: Values;
  /** The typed values, if they live longer than the form. */
  draft?: { typed: Partial<Values>; onTyped(change: Partial<Values>): void };
  /** What was typed before a reload, and where it is kept for the next one. */
  keeps?: { begun: Typed<Values>; keep(typed: Typed<Values>): void };
  /** Fields that are lists: what was typed goes together with what was saved elsewhere meanwhile. */
  merged?: { [Name in keyof Values]?: (fields: Merged<Values[Name]>) => Values[Name] };
  faultsOf?(values: Values): Faults;
}

/** What was typed, and what was saved of these fields when the person began to change them. */
export interface Typed<Values> {
  readonly typed: Partial<Values>;
  readonly before: Partial<Values>;
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
  const { saved, draft, keeps, merged = {}, faultsOf, run, onSuccess, ...rest } = options;
  const [own, setOwn] = useState<Typed<Values>>(keeps?.begun ?? NOTHING_TYPED);
  const keep = keeps?.keep;
  useEffect(() => keep?.(own), [keep, own]);
  const shown = draft ? draft.typed : withMerged(own, saved, merged);
  const values: Values = { ...saved, ...shown };
  const before: Values = { ...saved, ...own.before, ...pick(saved, namesOf(merged)) };
  const action = useAction<Submission<Values>, Output>({
    ...rest,
    run: (sent) => run(sent.values, sent.before),
    onSuccess: async (output, sent) => {
      const words = await onSuccess?.(output, sent.values);
      // Queries tell their pages in the next task: until then the form would show what was saved before.
      await nextTask();
      setOwn(({ typed }) => ({ typed: without(typed, sent.typed, sent.values), before: {} }));
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
    discard: () => setOwn(NOTHING_TYPED),
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
function without<Values extends object>(
  typed: Partial<Values>,
  ...sent: readonly Partial<Values>[]
): Partial<Values> {
  const left = namesOf(typed).filter((name) => sent.every((values) => values[name] !== typed[name]));
  return pick(typed, left);
}
