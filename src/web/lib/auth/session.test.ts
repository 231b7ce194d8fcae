import { expect, test } from "vitest";
import { displayNameOf, isNewAccount, rememberedLocation } from "./session.ts";

const person = (email: string, full_name?: unknown) => ({ email, user_metadata: { full_name } });

test("HEAD-02 the displayed name is the full name", () => {
  expect(displayNameOf(person("ana@example.com", " Ana García "))).toBe("Ana García");
});

test("HEAD-02 without a full name it is what stands before the @", () => {
  expect(displayNameOf(person("ana.g@example.com"))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", "  "))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", 7))).toBe("ana.g");
});

test("AUTH-10 the first sign-in of an account is known by its time", () => {
  const created_at = "2026-01-31T10:00:00Z";
  expect(isNewAccount({ created_at, last_sign_in_at: "2026-01-31T10:00:01Z" })).toBe(true);
  expect(isNewAccount({ created_at })).toBe(true);
  expect(isNewAccount({ created_at, last_sign_in_at: "2026-01-31T10:00:11Z" })).toBe(false);
});

test("ROUTE-09 the remembered location is a path of ours", () => {
  expect(rememberedLocation({ from: "/es/profile?tab=1#a" })).toBe("/es/profile?tab=1#a");
});

test("ROUTE-09 anything else is not followed", () => {
  for (const state of [
    null,
    undefined,
    "x",
    {},
    { from: 3 },
    { from: "//evil.example" },
    { from: "https://evil.example" },
  ]) {
    expect(rememberedLocation(state)).toBeNull();
  }
});
