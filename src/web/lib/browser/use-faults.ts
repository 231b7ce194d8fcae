import { type FormEvent, useState } from "react";

/** The first fault of each field that has one, by the field's name, in the order of the form. */
export type Faults = Record<string, string | null>;

interface Checked {
  faultOf(field: string): string | undefined;
  /** Settles a submit: shows the faults and leads to the first, or lets it pass. */
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** Says what is wrong with a form when it is sent, and takes each word back as soon as it is put right. */
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

/** To focus a password is to clear it; one that is there stays to be looked at. */
function mayFocus(input: HTMLInputElement): boolean {
  return input.value === "" || !input.autocomplete.endsWith("password");
}
