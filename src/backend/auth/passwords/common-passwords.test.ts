import { expect, test } from "vitest";
import { refuseWeakPassword } from "./common-passwords.ts";

const reasonFor = async (password: string, email = "ana.garcia@example.com") => {
  const answer = refuseWeakPassword(password, email);
  if (!answer) return undefined;
  const body = (await answer.json()) as { error_code: string; weak_password: { reasons: string[] } };
  expect([answer.status, body.error_code]).toEqual([422, "weak_password"]);
  return body.weak_password.reasons;
};

test.each([
  "123456",
  "password",
  "Password1",
  "QWERTY123",
  " iloveyou ",
  "letmein",
  "football",
  "secret1",
  "222222",
  "121212",
  "123123",
  "abcabcabc",
  "110011",
  "987654321",
  "abcdefgh",
  "asdfghjkl",
  "poiuytrewq",
])("DOOR-09 %j is one of the most common passwords", async (password) => {
  expect(await reasonFor(password)).toEqual(["common"]);
});

test.each(["ana.garcia@example.com", "ANA.GARCIA", " ana.garcia ", "ana.garcia@EXAMPLE.com", "anagarcia"])(
  "DOOR-09 %j is part of the address",
  async (password) => {
    expect(await reasonFor(password)).toEqual(["email"]);
  },
);

test.each(["violet-harbour-27", "vh27xq", "correct horse", "alice-password", "ñandú verde", "🏮🏮🏮🏮🏮🏮"])(
  "%j is good enough",
  async (password) => {
    expect(await reasonFor(password)).toBeUndefined();
  },
);

test.each(["12345", "abcde", "🏮🏮🏮🏮🏮"])("%j is too short", async (password) => {
  expect(await reasonFor(password)).toEqual(["length"]);
});
