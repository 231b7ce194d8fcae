import { GrammyError, HttpError } from "grammy";
import { expect, test } from "vitest";
import { DELAYS, reactionTo } from "./reaction-to.ts";

const refusal = (error_code: number, parameters = {}) =>
  new GrammyError("", { ok: false, error_code, description: "", parameters }, "getUpdates", {});

test.each([
  ["G19 a revoked token", refusal(401), 60_000, "error"],
  ["a token of no bot", refusal(404), 60_000, "error"],
  ["G20 a second poller", refusal(409), 30_000, "warn"],
  ["G18 flood control", refusal(429, { retry_after: 35 }), 35_000, "warn"],
  ["G18 flood control that says no time", refusal(429), 3_000, "warn"],
  ["G21 a server in trouble", refusal(502), 3_000, "warn"],
  ["G22 a broken connection", new HttpError("", new Error("reset")), 3_000, "warn"],
  ["a database that is away", new Error("ECONNREFUSED"), 3_000, "warn"],
])("after %s Telegram is asked again later", (_, error, delayMs, level) => {
  expect(reactionTo(error, DELAYS)).toEqual({ delayMs, level });
});
