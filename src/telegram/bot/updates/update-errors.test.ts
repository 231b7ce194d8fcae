import { GrammyError, HttpError } from "grammy";
import { expect, test } from "vitest";
import { DELAYS, describeError, retryAfter } from "./update-errors.ts";

const TOKEN = "7000000001:AAH-a-token-that-nobody-may-read-0";
const url = `https://api.telegram.org/bot${TOKEN}/sendMessage`;

test.each([
  [
    "a network error of grammY",
    new HttpError("Network request failed", new Error(`request to ${url} failed`)),
  ],
  ["a nested error", new HttpError("x", new HttpError("y", new Error(url)))],
  ["an encoded URL", new Error(encodeURIComponent(url))],
  ["the half after the colon", new Error(`secret ${TOKEN.split(":")[1]}`)],
  ["a value that is not an error", url],
])("P20 the description of %s does not contain the token", (_, error) => {
  const words = describeError(error, TOKEN);
  expect(words).toContain("[bot token]");
  expect(words).not.toContain("nobody-may-read");
});

test("the description of a refusal contains the method, the code and Telegram's text", () => {
  const answer = { ok: false, error_code: 400, description: "Bad Request: chat not found" } as const;
  expect(describeError(new GrammyError("", answer, "sendMessage", {}), TOKEN)).toBe(
    "sendMessage: 400 Bad Request: chat not found",
  );
});

const refusal = (error_code: number, parameters = {}) =>
  new GrammyError("", { ok: false, error_code, description: "", parameters }, "getUpdates", {});

test.each([
  ["G19 a revoked token", refusal(401), 60_000, "error"],
  ["an unknown token", refusal(404), 60_000, "error"],
  ["G20 a second poller", refusal(409), 30_000, "warn"],
  ["G18 flood control", refusal(429, { retry_after: 35 }), 35_000, "warn"],
  ["G18 flood control that says no time", refusal(429), 3_000, "warn"],
  ["G21 a server in trouble", refusal(502), 3_000, "warn"],
  ["G22 a broken connection", new HttpError("", new Error("reset")), 3_000, "warn"],
  ["a database outage", new Error("ECONNREFUSED"), 3_000, "warn"],
])("the bot waits after %s", (_, error, delayMs, level) => {
  expect(retryAfter(error, DELAYS)).toEqual({ delayMs, level });
});
