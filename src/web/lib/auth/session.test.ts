import { expect, test } from "vitest";
import { displayNameOf, isNewAccount, rememberedLocation } from "./session.ts";

const person = (email: string, full_name?: unknown) => ({ email, user_metadata: { full_name } });

test("HEAD-02 the displayed name is the full name", () => {
  expect(displayNameOf(person("ana@example.com", " Ana García "))).toBe("Ana García");
});

test("HEAD-02 without a full name it is the part before the @", () => {
  expect(displayNameOf(person("ana.g@example.com"))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", "  "))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", 7))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", "\u3164\u200b"))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", "🦊"))).toBe("🦊");
});

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 31, 10) + seconds * 1000).toISOString();

function account(created: number, identities: [provider: string, created: number, signedIn: number][]) {
  return {
    created_at: at(created),
    identities: identities.map(([provider, from, last]) => ({
      id: provider,
      user_id: "ana",
      identity_id: provider,
      provider,
      created_at: at(from),
      last_sign_in_at: at(last),
    })),
  };
}

test("TRUE-04 an account created by the sign-in with Google is new, however long the redirect took", () => {
  expect(isNewAccount(account(0, [["google", 0.2, 0.2]]), "google")).toBe(true);
  expect(isNewAccount({ ...account(0, [["google", 0, 0]]) }, "google")).toBe(true);
});

test.each([
  ["a user who returns, even seconds later", account(0, [["google", 0, 5]])],
  [
    "an account made by password, then linked",
    account(0, [
      ["email", 0, 0],
      ["google", 60, 60],
    ]),
  ],
  [
    "one that was made by password a moment ago",
    account(0, [
      ["email", 0, 0],
      ["google", 0.5, 0.5],
    ]),
  ],
  ["one that was never at Google", account(0, [["email", 0, 0]])],
  [
    "one that was made by Telegram, then linked",
    account(0, [
      ["custom:telegram", 0, 0],
      ["google", 60, 60],
    ]),
  ],
  ["one whose ways in are not known", { created_at: at(0) }],
])("TRUE-04 %s is not new", (_, user) => {
  expect(isNewAccount(user, "google")).toBe(false);
});

test("ROUTE-09 the remembered location is a path of ours", () => {
  expect(rememberedLocation({ from: "/es/profile?tab=1#a" })).toBe("/es/profile?tab=1#a");
});

test("ROUTE-09 READ-11: any other location is ignored", () => {
  for (const state of [
    null,
    undefined,
    "x",
    {},
    { from: 3 },
    { from: "//evil.example" },
    { from: "/\\evil.example" },
    { from: "/\t/evil.example" },
    { from: "/es//evil.example" },
    { from: "https://evil.example" },
  ]) {
    expect(rememberedLocation(state)).toBeNull();
  }
});
