import { useCallback, useState } from "react";

/**
 * What a form shows: what is saved, until the person changes it. From then on a change elsewhere leaves the form as it is, and
 * the save names what it replaces.
 */
export function useTouched<Value>(saved: Value) {
  const [touched, setTouched] = useState<{ before: Value; typed: Value }>();
  const change = useCallback(
    (typed: Value) => setTouched((known) => ({ before: known ? known.before : saved, typed })),
    [saved],
  );
  /** After a save, or after the person has discarded what they typed. */
  const release = useCallback(() => setTouched(undefined), []);
  return {
    value: touched ? touched.typed : saved,
    /** What was saved when the person began. */
    before: touched ? touched.before : saved,
    isTouched: touched !== undefined,
    change,
    release,
  };
}
