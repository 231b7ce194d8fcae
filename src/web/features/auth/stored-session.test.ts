import { expect, test } from "vitest";
import { mayHoldSession } from "./stored-session.ts";

const nowhere = { search: "", hash: "" };

test("AUTH-11 a stored session, whole or in parts, is worth a look", () => {
  expect(mayHoldSession(["theme", "sb-localhost-auth-token"], nowhere)).toBe(true);
  expect(mayHoldSession(["sb-abcdefgh-auth-token.0"], nowhere)).toBe(true);
});

test("AUTH-11 an address that brings a session is worth a look", () => {
  expect(mayHoldSession([], { search: "", hash: "#access_token=a&refresh_token=b" })).toBe(true);
  expect(mayHoldSession([], { search: "?code=abc", hash: "" })).toBe(true);
});

test("AUTH-11 a guest is known for one at once", () => {
  expect(mayHoldSession(["i18nextLng", "sb-localhost-auth-token-code-verifier", "theme"], nowhere)).toBe(
    false,
  );
});
