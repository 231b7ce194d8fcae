import type { WarningKind } from "#core/warnings/warning.ts";
import type { FindSettings } from "../find-settings.ts";

/** What to do with listings that have a warning. */
export const WARNING_CHOICES = ["shown", "off", "left-out"] as const;
export type WarningChoice = (typeof WARNING_CHOICES)[number];

export type WarningSettings = Pick<FindSettings, "hiddenWarnings" | "excludedWarnings">;

/** A kind in both lists counts as left out, the stronger choice. */
export function choiceOf(
  kind: WarningKind,
  { hiddenWarnings, excludedWarnings }: WarningSettings,
): WarningChoice {
  if (excludedWarnings.includes(kind)) return "left-out";
  return hiddenWarnings.includes(kind) ? "off" : "shown";
}

export interface ChosenWarnings {
  readonly kinds: readonly WarningKind[];
  readonly choice: WarningChoice;
}

export function withChoice(before: WarningSettings, { kinds, choice }: ChosenWarnings): WarningSettings {
  const others = (list: readonly WarningKind[]) => list.filter((one) => !kinds.includes(one));
  return {
    hiddenWarnings: [...others(before.hiddenWarnings), ...(choice === "off" ? kinds : [])],
    excludedWarnings: [...others(before.excludedWarnings), ...(choice === "left-out" ? kinds : [])],
  };
}
