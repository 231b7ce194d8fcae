import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Keepable, keepStates } from "./kept-state.ts";
import { Market } from "./portal/market/market.ts";
import { createPerson } from "./telegram/phone/create.ts";
import { say } from "./telegram/phone/speak.ts";
import { startTelegramSimulator, type TelegramSimulator } from "./telegram/start-telegram-simulator.ts";
import { telegramState } from "./telegram/world-state.ts";

let folder: string;
const started: TelegramSimulator[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-"));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((telegram) => telegram.close()));
  rmSync(folder, { recursive: true });
});

const startTelegram = async () => {
  const telegram = await startTelegramSimulator();
  started.push(telegram);
  return telegram;
};
const marketOf = (seed: number) =>
  new Market({ seed, size: 200, newPerDay: 10, startsAt: Date.parse("2026-11-01T10:00:00Z") });

test("EASY-06 after a restart the simulated Telegram has its people, chats and unanswered messages, and goes on counting", async () => {
  const before = await startTelegram();
  const olga = createPerson(before, { firstName: "Olga", languageCode: "ru", isStarted: true });
  say(before, { personId: olga.id, text: "/start" });
  const waiting = before.updates.all.map(({ update_id }) => update_id);
  keepStates(folder, "1", { telegram: telegramState(before) }).stop();
  const after = await startTelegram();
  const kept = keepStates(folder, "1", { telegram: telegramState(after) });
  expect(after.people.get(olga.id)).toEqual(olga);
  expect(after.chats.get(olga.id)?.messages.at(-1)?.message.text).toBe("/start");
  expect(after.updates.all.map(({ update_id }) => update_id)).toEqual(waiting);
  say(after, { personId: olga.id, text: "hello" });
  expect(after.updates.all.at(-1)?.update_id).toBeGreaterThan(waiting.at(-1) ?? 0);
  expect(createPerson(after, { firstName: "New" }).id).not.toBe(olga.id);
  kept.stop();
});

test("EASY-06 after a restart the simulated portal has its homes, and gives a new one a new code", () => {
  const before = marketOf(1);
  const [home] = before.latest(1);
  if (home === undefined) throw new Error("the market is empty");
  before.changePrice(home, 777);
  keepStates(folder, "1", { portal: before }).stop();
  const after = marketOf(2);
  keepStates(folder, "1", { portal: after }).stop();
  expect(after.latest(1_000)).toEqual(before.latest(1_000));
  expect(after.find(home.code)?.priceEur).toBe(777);
  const { operation, propertyType, spot } = home;
  expect(after.select(operation, propertyType, spot.id)).toContain(after.find(home.code));
  expect(Number(after.draw(operation, propertyType, spot).code)).toBeGreaterThan(Number(home.code));
});

test("EASY-06 what an older version or a broken disk left is a new world", () => {
  const restored: unknown[] = [];
  const counter: Keepable = { state: () => 7, takeUp: (state) => restored.push(state) };
  keepStates(folder, "1", { counter }).stop();
  keepStates(folder, "2", { counter }).stop();
  writeFileSync(join(folder, "counter.bin"), "not a state");
  keepStates(folder, "2", { counter }).stop();
  expect(restored).toEqual([]);
  keepStates(folder, "2", { counter }).stop();
  expect(restored).toEqual([7]);
});
