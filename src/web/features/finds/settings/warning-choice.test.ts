import { expect, test } from "vitest";
import { WARNING_KINDS } from "#core/warnings/warning.ts";
import { withChoice } from "./warning-choice.ts";

const before = ["auction", "no-photo"] as const;

test("FIND-04 choosing for one kind of warning does not change the others", () => {
  const shown = withChoice(before, { kinds: ["auction"], areShown: true });
  expect(shown).toEqual(["no-photo"]);
  const hidden = withChoice(before, { kinds: ["auction"], areShown: false });
  expect(hidden).toEqual(["no-photo", "auction"]);
});

test("FIND-04 one switch hides or shows all kinds of warnings", () => {
  const off = withChoice(before, { kinds: WARNING_KINDS, areShown: false });
  expect(off).toEqual(WARNING_KINDS);
  expect(withChoice(off, { kinds: WARNING_KINDS, areShown: true })).toEqual([]);
});
