import { useState } from "react";
import { type ActionOptions, useAction } from "../../lib/browser/use-action.ts";
import { type Faults, useFaults } from "./use-faults.ts";

interface FormOptions<Values, Output> extends Omit<ActionOptions<Values, Output>, "run"> {
  /** Saves the values. `before` is what was saved when the person began to change them: what the change replaces. */
  run(values: Values, before: Values): Promise<Output>;
  /** What is saved. A field that the person has not touched follows it; what was typed stays. */
  saved: Values;
  /** The typed values, if they live longer than the form. */
  draft?: { typed: Partial<Values>; onTyped(change: Partial<Values>): void };
  faultsOf?(values: Values): Faults;
}

/**
 * A form: its values, their faults, and what a submission does. Faults are shown when it is submitted, the first one takes
 * the focus, and each disappears once it is fixed. A failure stays in the form until the next submission.
 */
export function useForm<Values extends object, Output = void>(options: FormOptions<Values, Output>) {
  const { saved, draft, faultsOf, run, onSuccess, ...rest } = options;
  const [own, setOwn] = useState<Partial<Values>>({});
  const [replaced, setReplaced] = useState<Partial<Values>>({});
  const before: Values = { ...saved, ...replaced };
  const values: Values = { ...saved, ...(draft?.typed ?? own) };
  const action = useAction<Values, Output>({
    ...rest,
    run: (typed) => run(typed, before),
    onSuccess: async (output, sent) => {
      const words = await onSuccess?.(output, sent);
      setOwn((typed) => withoutSent(typed, sent));
      setReplaced({});
      return words;
    },
  });
  const checked = useFaults(faultsOf?.(values) ?? {}, () => action.run(values));
  const set = (change: Partial<Values>) => {
    if (draft) {
      draft.onTyped(change);
      return;
    }
    setOwn((typed) => ({ ...typed, ...change }));
    setReplaced((known) => ({ ...pick(saved, namesOf(change)), ...known }));
  };
  return {
    ...action,
    ...checked,
    values,
    set,
    /** Forgets what was typed. */
    discard: () => {
      setOwn({});
      setReplaced({});
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

function pick<Values extends object>(values: Values, names: readonly (keyof Values)[]): Partial<Values> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values>;
}

function namesOf<Values extends object>(values: Partial<Values>): (keyof Values)[] {
  return Object.keys(values) as (keyof Values)[];
}

/** What was typed while the form was being saved stays. */
function withoutSent<Values extends object>(typed: Partial<Values>, sent: Values): Partial<Values> {
  const kept = Object.entries(typed).filter(([name, value]) => sent[name as keyof Values] !== value);
  return Object.fromEntries(kept) as Partial<Values>;
}
