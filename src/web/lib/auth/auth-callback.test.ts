import { expect, test } from "vitest";
import { mustBeWiped, parseAuthCallback, withoutCallback } from "./auth-callback.ts";

test("RESET-01 a one-time token is read from the fragment", () => {
  expect(parseAuthCallback({ search: "", hash: "#token_hash=abc&type=recovery" })).toEqual({
    kind: "token",
    tokenHash: "abc",
    type: "recovery",
  });
});

test("RESET-09 a token in the query is refused: servers and logs have seen it", () => {
  expect(parseAuthCallback({ search: "?token_hash=abc&type=recovery", hash: "" })).toBeNull();
  expect(parseAuthCallback({ search: "?access_token=abc&refresh_token=def", hash: "" })).toBeNull();
});

test("ROUTE-10 a session is read from the fragment, with or without its second half", () => {
  expect(parseAuthCallback({ search: "", hash: "#access_token=a&refresh_token=b&type=recovery" })).toEqual({
    kind: "session",
    accessToken: "a",
    refreshToken: "b",
    type: "recovery",
  });
  expect(parseAuthCallback({ search: "", hash: "#access_token=a" })).toMatchObject({ refreshToken: "" });
});

test.each([
  { search: "", hash: "#error=access_denied&error_code=otp_expired&error_description=Link+has+expired" },
  { search: "?error=access_denied&error_code=otp_expired&error_description=Link%20has%20expired", hash: "" },
])("RESET-04 an error is read from $search$hash", (address) => {
  expect(parseAuthCallback(address)).toEqual({
    kind: "error",
    error: "access_denied",
    code: "otp_expired",
    description: "Link has expired",
  });
});

test("RESET-04 an error outranks a token that came with it", () => {
  expect(parseAuthCallback({ search: "?error_code=bad_jwt", hash: "#access_token=a" })).toMatchObject({
    kind: "error",
    code: "bad_jwt",
  });
});

test("DOOR-04 a code is read from the query only", () => {
  expect(parseAuthCallback({ search: "?code=abc", hash: "" })).toEqual({ kind: "code", code: "abc" });
  expect(parseAuthCallback({ search: "", hash: "#code=abc" })).toBeNull();
});

test.each([
  ["?access_token=a&refresh_token=b&type=recovery", ""],
  ["?Access_Token=a", ""],
  ["?token_hash=a&type=signup", ""],
  ["", "#ACCESS_TOKEN=a&REFRESH_TOKEN=b&TYPE=recovery"],
  ["", "#access_token=a&access_token=b&refresh_token=c"],
  ["", "#access_token=a&refresh_token=b&type=signup&type=recovery"],
  ["", "#token_hash=a&token_hash=b&type=recovery"],
  ["", "#/reset#access_token=a&refresh_token=b&type=recovery"],
  ["", "#/?access_token=a&refresh_token=b"],
  ["", "#%23access_token=a"],
  ["", "#x&%61ccess_token%3Da"],
])("DOOR-04 %s%s is not a message of the auth service, and is removed from the address", (search, hash) => {
  expect(parseAuthCallback({ search, hash })).toBeNull();
  expect(mustBeWiped({ search, hash })).toBe(true);
  expect(withoutCallback({ pathname: "/es", search, hash })).toBe("/es");
});

test("an address without a message from the auth service has none", () => {
  expect(parseAuthCallback({ search: "?tab=1&type=recovery", hash: "#changes" })).toBeNull();
  expect(mustBeWiped({ search: "?tab=1&type=recovery&q=100%", hash: "#changes" })).toBe(false);
});

test("RESET-09 the message is removed from the address, the rest stays", () => {
  expect(
    withoutCallback({ pathname: "/de", search: "?tab=1&error=x&error_code=y", hash: "#access_token=a&sb" }),
  ).toBe("/de?tab=1");
  expect(withoutCallback({ pathname: "/terms", search: "", hash: "#changes" })).toBe("/terms#changes");
});

test("READ-11: a secret is removed from an address that looks like another site", () => {
  // history.replaceState throws for an address of another site, and the secret would stay.
  const hash = "#access_token=a&refresh_token=b";
  expect(withoutCallback({ pathname: "//evil.example/", search: "", hash })).toBe("/evil.example/");
});
