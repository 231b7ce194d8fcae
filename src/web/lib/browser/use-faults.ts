import { type FormEvent, useState } from "react";

/** The fault of each field by its name, in the order of the form. */
export type Faults = Record<string, string | null>;

interface Checked {
  faultOf(field: string): string | undefined;
  /** Shows the faults and focuses the first, or calls `onValid`. */
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** Shows the faults of a form when it is submitted, and hides each one once it is fixed. */
export function useFaults(faults: Faults, onValid: () => void): Checked {
  const [isChecked, setChecked] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const first = Object.entries(faults).find(([, fault]) => fault !== null)?.[0];
    setChecked(first !== undefined);
    if (first === undefined) {
      onValid();
      return;
    }
    const input = event.currentTarget.elements.namedItem(first);
    if (input instanceof HTMLInputElement && mayFocus(input)) input.focus();
  };
  return { faultOf: (field) => (isChecked ? (faults[field] ?? undefined) : undefined), onSubmit };
}

/** Focusing a password field clears it, so a filled one is not focused. */
function mayFocus(input: HTMLInputElement): boolean {
  return input.value === "" || !input.autocomplete.endsWith("password");
}
