import { afterAll, beforeAll, expect, test } from "vitest";
import { startTelegramLogin, type TelegramLogin } from "#simulators/telegram/oidc/telegram-login.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { checkTelegramLogin } from "./service-checks.ts";

let telegram: TelegramSimulator;
let login: TelegramLogin;

beforeAll(async () => {
  telegram = await startTelegramSimulator();
  login = await startTelegramLogin(telegram, { redirectUris: [] });
});

afterAll(() => Promise.all([telegram.close(), login.stop()]));

const check = (url?: string) =>
  checkTelegramLogin({
    TELEGRAM_LOGIN_SECRET: "a-secret",
    ...(url === undefined ? {} : { TELEGRAM_LOGIN_URL: url }),
  });

test("START-08 doctor finds the discovery document of the Telegram sign-in, and checks that it names the issuer", async () => {
  expect(await checkTelegramLogin({})).toMatchObject({ state: "not set" });
  expect(await check(login.url)).toMatchObject({ state: "ok" });
  expect(await check(login.url.replace("localhost", "127.0.0.1"))).toMatchObject({
    state: "wrong",
    words: expect.stringContaining("TELEGRAM_LOGIN_URL"),
  });
  expect(await check("http://localhost:9")).toMatchObject({ state: "wrong" });
});
