import { expect, test } from "vitest";
import { mayHoldSession } from "./session-key.ts";

test("AUTH-11 a stored session, whole or in parts, is worth a look", () => {
  expect(mayHoldSession(["theme", "sb-localhost-auth-token"])).toBe(true);
  expect(mayHoldSession(["sb-abcdefgh-auth-token.0"])).toBe(true);
});

test("AUTH-11 a guest is known for one at once", () => {
  expect(mayHoldSession(["i18nextLng", "sb-localhost-auth-token-code-verifier", "theme"])).toBe(false);
});
