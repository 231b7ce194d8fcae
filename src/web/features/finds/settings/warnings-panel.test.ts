import { expect, test } from "vitest";
import { WARNING_KINDS } from "#core/warnings/warning.ts";
import { choiceOf, WARNING_CHOICES, withChoice } from "./warning-choices.ts";

test("FIND-04 choosing for one kind of warning does not change the others", () => {
  const before = { hiddenWarnings: ["auction", "no-photo"] } as const;
  for (const choice of WARNING_CHOICES) {
    const after = withChoice(before, { kinds: ["auction"], choice });
    expect(choiceOf("auction", after)).toBe(choice);
    expect(choiceOf("no-photo", after)).toBe("off");
    expect(choiceOf("occupied", after)).toBe("shown");
  }
});

test("FIND-04 one switch hides or shows all kinds of warnings", () => {
  const before = { hiddenWarnings: ["no-photo"] } as const;
  const kindsWith = (choice: string, settings: Parameters<typeof choiceOf>[1]) =>
    WARNING_KINDS.filter((kind) => choiceOf(kind, settings) === choice);
  const off = withChoice(before, { kinds: kindsWith("shown", before), choice: "off" });
  expect(kindsWith("shown", off)).toEqual([]);
  const on = withChoice(off, { kinds: kindsWith("off", off), choice: "shown" });
  expect(kindsWith("off", on)).toEqual([]);
});
