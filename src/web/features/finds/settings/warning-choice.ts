import type { WarningKind } from "#core/warnings/warning.ts";

/** Whether warnings are shown. Whether such homes are alerted is decided by the rules of a search. */
export interface WarningChoice {
  readonly kinds: readonly WarningKind[];
  readonly areShown: boolean;
}

/** The kinds that are hidden then. */
export function withChoice(
  hidden: readonly WarningKind[],
  { kinds, areShown }: WarningChoice,
): readonly WarningKind[] {
  const others = hidden.filter((kind) => !kinds.includes(kind));
  return areShown ? others : [...others, ...kinds];
}
