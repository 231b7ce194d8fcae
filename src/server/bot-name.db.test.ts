import { expect, test } from "vitest";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { TEST_TOKEN } from "#test/test-bot.ts";
import { startTestProduct } from "#test/test-product.ts";
import { createBotName } from "./bot-name.ts";
import type { PublicConfig } from "./public-config.ts";

test("SERV-05 the bot's name comes from Telegram, and a machine without the token reads it from the database", async () => {
  const telegram = await startTelegramSimulator();
  const product = await startTestProduct({
    ROLES: "web,bot",
    TELEGRAM_BOT_TOKEN: TEST_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
  });
  const shown = async () =>
    ((await (await fetch(`${product.url}/config.json`)).json()) as PublicConfig).botUsername;
  await expect.poll(shown, { timeout: 60_000, interval: 50 }).toBe(telegram.bot.username);
  const { sql } = product.database;
  const clock = { now: 1_000 };
  const elsewhere = createBotName({ sql, setting: undefined, now: () => clock.now });
  expect(await elsewhere()).toBe(telegram.bot.username);
  expect(await createBotName({ sql, setting: "AnotherBot", now: () => 0 })()).toBe("AnotherBot");
  // Unknown again and the database down: the last known name is kept.
  await sql`delete from watch.bot`;
  clock.now += 3_600_000;
  expect(await elsewhere()).toBe(telegram.bot.username);
  expect(await createBotName({ sql, setting: undefined, now: () => 0 })()).toBeUndefined();
  await product.stop();
  await telegram.close();
});
