import { expect, test } from "vitest";
import { displayNameOf } from "./session.ts";

const person = (email: string, full_name?: unknown) => ({ email, user_metadata: { full_name } });

test("HEAD-02 the displayed name is the full name", () => {
  expect(displayNameOf(person("ana@example.com", " Ana García "))).toBe("Ana García");
});

test("HEAD-02 without a full name it is what stands before the @", () => {
  expect(displayNameOf(person("ana.g@example.com"))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", "  "))).toBe("ana.g");
  expect(displayNameOf(person("ana.g@example.com", 7))).toBe("ana.g");
});
