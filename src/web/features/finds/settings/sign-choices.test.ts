import { expect, test } from "vitest";
import { tidyName } from "./place-name.ts";
import { choiceOf, SIGN_CHOICES, withChoice } from "./sign-choices.ts";

test("FIND-04 each kind of sign is chosen for itself, whatever was chosen before", () => {
  const before = { signsOff: ["auction", "no-photo"], signsLeftOut: ["seasonal", "auction"] } as const;
  for (const choice of SIGN_CHOICES) {
    const after = withChoice(before, "auction", choice);
    expect(choiceOf("auction", after)).toBe(choice);
    expect([choiceOf("no-photo", after), choiceOf("seasonal", after)]).toEqual(["off", "left-out"]);
    expect(choiceOf("occupied", after)).toBe("shown");
  }
});

test("FIND-06 the name of a place is one line without what nobody sees", () => {
  expect(tidyName(" \u202eWork\u2028 \n at\u0000 home\u200b ")).toBe("Work at home");
  expect(tidyName("👩‍💻 Büro")).toBe("👩‍💻 Büro");
  expect(tidyName(" \u200b\u2066\u2800 ")).toBe("");
});
