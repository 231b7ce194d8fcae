import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestTelegram } from "#simulators/telegram/test-client.ts";
import { checkMiniApp } from "./check-mini-app.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let siteUrl: string;
let headers: Record<string, string> = {};
const site = createServer((_, response) => response.writeHead(200, headers).end());

beforeAll(async () => {
  world = await startTestTelegram();
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.close();
  await world.telegram.close();
});

const check = (settings: object = {}) =>
  checkMiniApp({
    SITE_URL: siteUrl,
    MINI_APP: "on",
    TELEGRAM_BOT_TOKEN: world.telegram.bot.token,
    TELEGRAM_API_ROOT: world.telegram.url,
    ...settings,
  });

test("MINI-02 RUN-11 doctor checks framing and the menu button, and says what groups lack", async () => {
  expect(await check({ MINI_APP: "off" })).toMatchObject({ state: "not set" });
  headers = { "content-security-policy": "frame-ancestors 'none';", "x-frame-options": "DENY" };
  expect(await check()).toMatchObject({ state: "wrong", words: expect.stringContaining("X-Frame-Options") });
  headers = {
    "content-security-policy":
      "frame-ancestors https://web.telegram.org; img-src 'self', frame-ancestors 'self'",
  };
  expect(await check()).toMatchObject({ state: "wrong" });
  headers = { "content-security-policy": "frame-ancestors https://web.telegram.org *; img-src 'self'" };
  expect(await check()).toMatchObject({ state: "wrong" });
  headers = { "content-security-policy": "frame-ancestors https://web.telegram.org; img-src 'self'" };
  expect(await check()).toMatchObject({ state: "wrong", words: expect.stringContaining("menu button") });
  const web_app = { url: `${siteUrl}/app/finds` };
  await world.call("setChatMenuButton", { menu_button: { type: "web_app", text: "Homes", web_app } });
  expect(await check()).toMatchObject({ state: "ok", words: expect.stringContaining("@BotFather") });
  world.telegram.hasMainApp = true;
  expect((await check()).words).not.toContain("@BotFather");
});
