import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { messageUpdate, startBotForTest, type TestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";
import { webhookPathOf } from "./webhook.ts";

const de = botTexts("de");
const PATIENCE = { timeout: 60_000, interval: 20 };
const QUICK = { delays: { refusedMs: 50, conflictMs: 50, errorMs: 50 } };
const SECRET = "a-secret-of-more-than-32-letters-for-the-webhook";
const SECRETS = /AAH-simulated|a-secret-of-more/;
const textsIn = (bot: TestBot, chat: number) => bot.botMessages(chat).map(({ text }) => text);

async function serveWebhook(bot: TestBot): Promise<{ url: string; server: Server }> {
  const server = createAdaptorServer({
    fetch: (request) => bot.bot.webhook?.(request) ?? new Response(null, { status: 404 }),
    createServer,
  }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test("G09 the webhook accepts requests with the secret, answers at once, and refuses all others", async () => {
  // The port is known only after the start, so the test sets the webhook's URL.
  const bot = await startBotForTest({ webhookSecret: SECRET, ...QUICK });
  const ana = bot.person();
  const { url } = await serveWebhook(bot);
  const address = `${url}${webhookPathOf(SECRET)}`;
  const post = async (body: string, secret?: string, method = "POST") =>
    (
      await fetch(address, {
        method,
        ...(method === "POST" ? { body } : {}),
        headers: secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret },
      })
    ).status;
  const update = JSON.stringify(messageUpdate(ana, 900_000_001));
  expect(await post(update)).toBe(401);
  expect(await post(update, "")).toBe(401);
  expect(await post(update, `${SECRET.slice(0, -1)}x`)).toBe(401);
  expect(await post(update, `${SECRET}x`)).toBe(401);
  expect(await post("", SECRET, "GET")).toBe(405);
  expect(await post("{", SECRET)).toBe(400);
  expect(await post('{"update_id":"1"}', SECRET)).toBe(400);
  expect(await post(JSON.stringify({ update_id: 1, pad: "x".repeat(1024 * 1024) }), SECRET)).toBe(413);
  expect(textsIn(bot, ana)).toEqual([]);
  expect(await post(update, SECRET)).toBe(200);
  expect(await post(update, SECRET)).toBe(200);
  await expect.poll(() => textsIn(bot, ana), PATIENCE).toHaveLength(1);
  await expect
    .poll(() => bot.telegram.webhook.url, PATIENCE)
    .toBe(`https://sereno.example${webhookPathOf(SECRET)}`);
  expect(webhookPathOf(SECRET)).toMatch(/^\/telegram\/[\da-f]{32}$/);
  expect(bot.log.join("\n")).not.toMatch(SECRETS);
});

test("a whole conversation works by webhook", async () => {
  const bot = await startBotForTest({ webhookSecret: SECRET, ...QUICK });
  const { url } = await serveWebhook(bot);
  await expect.poll(() => bot.telegram.webhook.url, PATIENCE).toBeDefined();
  bot.telegram.webhook.set({ url: `${url}${webhookPathOf(SECRET)}`, secret: SECRET, maxConnections: 40 });
  const ana = bot.person({ languageCode: "fr" });
  const alice = await bot.account("alice@example.com");
  expect(await bot.ask(ana, `/start ${await bot.link(alice)}`)).toEqual([
    expect.stringContaining(botTexts("fr")("link_connected", { account: "a***@example.com" })),
  ]);
  await bot.ask(ana, "/language");
  expect(await bot.press(ana, ana, { text: "Deutsch" })).toBe(de("language_chosen"));
});
