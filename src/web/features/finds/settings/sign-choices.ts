import type { SignKind } from "#core/finds/signs.ts";
import type { FindSettings } from "./settings-calls.ts";

/** What is done with listings that carry a sign. */
export const SIGN_CHOICES = ["shown", "off", "left-out"] as const;
export type SignChoice = (typeof SIGN_CHOICES)[number];

export type Signs = Pick<FindSettings, "signsOff" | "signsLeftOut">;

/** A kind in both lists is left out: that says more. */
export function choiceOf(kind: SignKind, { signsOff, signsLeftOut }: Signs): SignChoice {
  if (signsLeftOut.includes(kind)) return "left-out";
  return signsOff.includes(kind) ? "off" : "shown";
}

/** The same settings with one kind chosen otherwise. */
export function withChoice(signs: Signs, kind: SignKind, choice: SignChoice): Signs {
  const others = (kinds: readonly SignKind[]) => kinds.filter((one) => one !== kind);
  return {
    signsOff: [...others(signs.signsOff), ...(choice === "off" ? [kind] : [])],
    signsLeftOut: [...others(signs.signsLeftOut), ...(choice === "left-out" ? [kind] : [])],
  };
}
