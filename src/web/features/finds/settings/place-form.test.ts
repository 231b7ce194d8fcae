import { expect, test } from "vitest";
import { tidyName } from "./place-form.tsx";

test("FIND-06 the name of a place is one line without invisible characters", () => {
  expect(tidyName(" \u202eWork\u2028 \n at\u0000 home\u200b ")).toBe("Work at home");
  expect(tidyName("👩‍💻 Büro")).toBe("👩‍💻 Büro");
  expect(tidyName(" \u200b\u2066\u2800 ")).toBe("");
});
