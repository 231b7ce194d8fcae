import type { WarningKind } from "#core/warnings/warning.ts";
import type { FindSettings } from "../find-settings.ts";

/** Whether a warning is shown. Whether such homes are alerted is decided by the rules of a search. */
export const WARNING_CHOICES = ["shown", "off"] as const;
export type WarningChoice = (typeof WARNING_CHOICES)[number];

export type WarningSettings = Pick<FindSettings, "hiddenWarnings">;

export function choiceOf(kind: WarningKind, { hiddenWarnings }: WarningSettings): WarningChoice {
  return hiddenWarnings.includes(kind) ? "off" : "shown";
}

export interface ChosenWarnings {
  readonly kinds: readonly WarningKind[];
  readonly choice: WarningChoice;
}

export function withChoice(before: WarningSettings, { kinds, choice }: ChosenWarnings): WarningSettings {
  const others = before.hiddenWarnings.filter((one) => !kinds.includes(one));
  return { hiddenWarnings: [...others, ...(choice === "off" ? kinds : [])] };
}
