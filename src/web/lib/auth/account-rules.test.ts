import { expect, test } from "vitest";
import { emailFaultOf, fullNameFaultOf, passwordFaultOf } from "./account-rules.ts";

test.each(["ana@example.com", "Ana.G+flat@mail.example.co.uk", "o'neill@example.ie", "анна@пример.рф"])(
  "AUTH-05 %s is an e-mail address",
  (email) => {
    expect(emailFaultOf(email)).toBeNull();
  },
);

test.each(["ana", "ana@", "@example.com", "ana@example", "ana@@example.com", "ana @example.com", "a@b..c"])(
  "AUTH-05 %s is not an e-mail address",
  (email) => {
    expect(emailFaultOf(email)).toBe("emailInvalid");
  },
);

test("AUTH-05 an e-mail address is required and at most 254 characters long", () => {
  expect(emailFaultOf("")).toBe("emailRequired");
  expect(emailFaultOf(`${"a".repeat(243)}@example.com`)).toBe("emailTooLong");
});

test("AUTH-05 a full name is required and at most 200 characters long", () => {
  expect(fullNameFaultOf("")).toBe("fullNameRequired");
  expect(fullNameFaultOf("é".repeat(200))).toBeNull();
  expect(fullNameFaultOf("é".repeat(201))).toBe("fullNameTooLong");
});

test("AUTH-05 a password is required, and one longer than the hash reads is refused", () => {
  expect(passwordFaultOf("")).toBe("passwordRequired");
  expect(passwordFaultOf("   ")).toBeNull();
  expect(passwordFaultOf("п".repeat(36))).toBeNull();
  expect(passwordFaultOf(`${"п".repeat(36)}x`)).toBe("passwordTooLong");
});
