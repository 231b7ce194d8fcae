import { expect, test } from "vitest";
import { mayHoldSession } from "./session-key.ts";

test("AUTH-11 a stored session is recognised by its key, whole or in parts", () => {
  expect(mayHoldSession(["theme", "sb-localhost-auth-token"])).toBe(true);
  expect(mayHoldSession(["sb-abcdefgh-auth-token.0"])).toBe(true);
});

test("AUTH-11 a guest is recognised without a stored session", () => {
  expect(mayHoldSession(["i18nextLng", "sb-localhost-auth-token-code-verifier", "theme"])).toBe(false);
});
