import { GrammyError, HttpError } from "grammy";
import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";

const TOKEN = "7000000001:AAH-a-token-that-nobody-may-read-0";
const url = `https://api.telegram.org/bot${TOKEN}/sendMessage`;

test.each([
  [
    "a network error of the library",
    new HttpError("Network request failed", new Error(`request to ${url} failed`)),
  ],
  ["one inside another", new HttpError("x", new HttpError("y", new Error(url)))],
  ["an encoded address", new Error(encodeURIComponent(url))],
  ["the half after the colon", new Error(`secret ${TOKEN.split(":")[1]}`)],
  ["a thing that is no error", url],
])("P20 the token stands not in the words for %s", (_, error) => {
  const words = describeError(error, TOKEN);
  expect(words).toContain("[bot token]");
  expect(words).not.toContain("nobody-may-read");
});

test("a refusal is named by what was asked and what was said", () => {
  const answer = { ok: false, error_code: 400, description: "Bad Request: chat not found" } as const;
  expect(describeError(new GrammyError("", answer, "sendMessage", {}), TOKEN)).toBe(
    "sendMessage: 400 Bad Request: chat not found",
  );
});
