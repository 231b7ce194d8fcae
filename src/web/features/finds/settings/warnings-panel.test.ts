import { expect, test } from "vitest";
import { choiceOf, WARNING_CHOICES, withChoice } from "./warning-choices.ts";

test("FIND-04 choosing for one kind of warning does not change the others", () => {
  const before = {
    hiddenWarnings: ["auction", "no-photo"],
    excludedWarnings: ["seasonal", "auction"],
  } as const;
  for (const choice of WARNING_CHOICES) {
    const after = withChoice(before, "auction", choice);
    expect(choiceOf("auction", after)).toBe(choice);
    expect([choiceOf("no-photo", after), choiceOf("seasonal", after)]).toEqual(["off", "left-out"]);
    expect(choiceOf("occupied", after)).toBe("shown");
  }
});
