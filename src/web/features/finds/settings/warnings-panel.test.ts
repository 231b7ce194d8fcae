import { expect, test } from "vitest";
import { WARNING_KINDS } from "#core/warnings/warning.ts";
import { choiceOf, WARNING_CHOICES, withChoice } from "./warning-choices.ts";

test("FIND-04 choosing for one kind of warning does not change the others", () => {
  const before = {
    hiddenWarnings: ["auction", "no-photo"],
    excludedWarnings: ["seasonal", "auction"],
  } as const;
  for (const choice of WARNING_CHOICES) {
    const after = withChoice(before, { kinds: ["auction"], choice });
    expect(choiceOf("auction", after)).toBe(choice);
    expect([choiceOf("no-photo", after), choiceOf("seasonal", after)]).toEqual(["off", "left-out"]);
    expect(choiceOf("occupied", after)).toBe("shown");
  }
});

test("FIND-04 one switch hides or shows all kinds of warnings, but those without alerts stay so", () => {
  const before = { hiddenWarnings: ["no-photo"], excludedWarnings: ["seasonal"] } as const;
  const kindsWith = (choice: string, settings: Parameters<typeof choiceOf>[1]) =>
    WARNING_KINDS.filter((kind) => choiceOf(kind, settings) === choice);
  const off = withChoice(before, { kinds: kindsWith("shown", before), choice: "off" });
  expect(kindsWith("shown", off)).toEqual([]);
  const on = withChoice(off, { kinds: kindsWith("off", off), choice: "shown" });
  expect([kindsWith("off", on), kindsWith("left-out", on)]).toEqual([[], ["seasonal"]]);
});
