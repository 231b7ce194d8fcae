/** A form with a field to type into, as a person uses it. */
import { act, fireEvent, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import type { Answers } from "./answerer.ts";

export type TypedField = HTMLInputElement | HTMLTextAreaElement;

export interface TypedForm {
  readonly name: string;
  /** The file with its fields. */
  readonly file: string;
  readonly load: () => Promise<ComponentType>;
  readonly address: string;
  /** A guest has no session; null is the usual person. */
  readonly user?: "guest" | object;
  readonly answers?: Answers;
  /** Opens the form. */
  readonly open?: () => Promise<void> | void;
  readonly label: RegExp;
  /** What is begun, and the whole of it. */
  readonly text?: readonly [string, string];
  /** Typed into other fields before. */
  readonly others?: readonly (readonly [RegExp, string])[];
  /** Why what was typed is forgotten when the person leaves without saving. */
  readonly isForgotten?: "a secret" | "a question that the address answers" | "saved when its field is left";
  /** The buttons that save it, one after the other. */
  readonly save?: readonly RegExp[];
}

export async function press(name: RegExp): Promise<void> {
  const [button] = screen.queryAllByRole("button", { name });
  await act(async () => button?.click());
}

/** Not a button whose label is like it. */
export function typedField(label: RegExp): TypedField | undefined {
  return screen.queryAllByLabelText<TypedField>(label, { selector: "input, textarea" })[0];
}

export function type(label: RegExp, text: string): void {
  const field = typedField(label);
  if (field) fireEvent.change(field, { target: { value: text } });
}
