import { type FormEvent, useState } from "react";

/** Why each field is not accepted, by its name, in the order of the form; null if it is. */
export type Faults = Readonly<Record<string, string | null>>;

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
    const field = event.currentTarget.elements.namedItem(first);
    if (field instanceof HTMLElement && mayFocus(field)) field.focus();
  };
  return { faultOf: (field) => (isChecked ? (faults[field] ?? undefined) : undefined), onSubmit };
}

/** Focusing a password field clears it, so a filled one is not focused. */
function mayFocus(field: HTMLElement): boolean {
  if (!(field instanceof HTMLInputElement)) return true;
  return field.value === "" || !field.autocomplete.endsWith("password");
}
