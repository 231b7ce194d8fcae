import { act } from "./api.ts";
import { element } from "./element.ts";

export interface Faults {
  fault: string | null;
  faults: string[];
}

const LABEL = "What goes wrong with the next sign-in";

/** Chooses the fault of the next sign-in at a simulated provider, by the provider's route. */
export function faultChoice(
  route: string,
  { faults, fault }: Faults,
  words: Record<string, string>,
): HTMLElement {
  const options = ["", ...faults].map((value) => element("option", { value }, words[value] ?? value));
  const choice = element("select", { ariaLabel: LABEL }, ...options);
  choice.value = fault ?? "";
  choice.addEventListener("change", () => {
    void act(`${route}/fault`, { fault: choice.value || null }, "PUT");
  });
  return choice;
}
