import { expect, test } from "vitest";
import { mayConcern } from "./deliver-changes.ts";
import { parseFilter } from "./filter.ts";
import type { Binding } from "./join-request.ts";

const alice = "a11ce000-0000-4000-8000-000000000001";
const bob = "b0b00000-0000-4000-8000-000000000002";

function bindingWith(filter: string, event: Binding["event"] = "*"): Binding {
  const parsed = parseFilter(filter);
  return { id: 1, event, schema: "public", table: "notes", conditions: parsed.ok ? parsed.conditions : [] };
}

const told = { id: 1, user_id: alice, at: "2030-01-01T00:00:00" };

for (const [filter, expected] of [
  ["", true],
  [`user_id=eq.${alice}`, true],
  [`user_id=eq.${alice.toUpperCase()}`, true],
  [`user_id=eq.${bob}`, false],
  [`user_id=not.eq.${bob}`, true],
  [`user_id=neq.${bob}`, true],
  [`other=eq.${bob}`, true],
  ["id=eq.2", true],
  ["at=eq.2030-01-01", true],
] as const) {
  test(`the filter "${filter}" ${expected ? "is left to PostgreSQL" : "is ruled out without asking it"}`, () => {
    expect(mayConcern(bindingWith(filter), "INSERT", told)).toBe(expected);
  });
}

test("another kind of event is ruled out", () => {
  expect(mayConcern(bindingWith("", "DELETE"), "INSERT", told)).toBe(false);
});
