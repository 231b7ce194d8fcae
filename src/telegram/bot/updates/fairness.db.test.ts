import { afterEach, expect, test } from "vitest";
import { changeStanding } from "#simulators/telegram/phone/membership.ts";
import { pressButton, say } from "#simulators/telegram/phone/speak.ts";
import type { TelegramSimulatorOptions } from "#simulators/telegram/start-telegram-simulator.ts";
import { startTestBot, type TestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";
import { createBot } from "../create-bot.ts";

const en = botTexts("en");

const PATIENCE = { timeout: 60_000, interval: 20 };
/** Twelve at once in a chat, then one a second, each refusal saying so. */
const STRICT: TelegramSimulatorOptions = { floodControl: { chatBurst: 12, perSecond: 1000 } };
const LONG = 120_000;

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

async function start(...options: Parameters<typeof startTestBot>): Promise<TestBot> {
  const bot = await startTestBot(...options);
  ends.push(bot.stop);
  return bot;
}

const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const flood = (bot: TestBot, personId: number, count: number, text = "/id", chatId = personId) => {
  for (const _ of countTo(count)) say(bot.telegram, { personId, chatId, text });
};
const acceptedIn = (bot: TestBot, chatId: number) =>
  bot.telegram.ledger.accepted.filter((message) => message.chatId === chatId);
const firstIn = (bot: TestBot, chatId: number) => acceptedIn(bot, chatId)[0]?.sequence ?? Number.NaN;
const lastIn = (bot: TestBot, chatId: number) => acceptedIn(bot, chatId).at(-1)?.sequence ?? Number.NaN;

test(
  "DOOR-07 who asks once behind a hundred commands of another is answered before these are",
  async () => {
    const bot = await start({}, STRICT);
    const [ana, ben] = [bot.person(), bot.person()];
    flood(bot, ana, 100);
    flood(bot, ben, 1);
    await bot.untilIdle();
    expect(acceptedIn(bot, ben)).toHaveLength(1);
    // Twenty answers and one word that it was enough.
    expect(acceptedIn(bot, ana)).toHaveLength(21);
    expect(firstIn(bot, ben)).toBeLessThan(lastIn(bot, ana));
  },
  LONG,
);

test(
  "DOOR-07 forty chats that flood at once, all told to wait by Telegram, hold nobody up",
  async () => {
    const bot = await start({}, { floodControl: { chatBurst: 2, perSecond: 1000 } });
    const crowd = countTo(40).map(() => bot.person());
    const ben = bot.person();
    for (const person of crowd) flood(bot, person, 5);
    flood(bot, ben, 1);
    await bot.untilIdle();
    const lasts = crowd.map((person) => lastIn(bot, person));
    expect(crowd.map((person) => acceptedIn(bot, person).length)).toEqual(crowd.map(() => 5));
    expect(firstIn(bot, ben)).toBeLessThan(Math.min(...lasts));
  },
  LONG,
);

test(
  "DOOR-07 a chat whose answers hang holds nobody up, and neither do ten of them",
  async () => {
    const bot = await start();
    const crowd = countTo(10).map(() => bot.person());
    const ben = bot.person();
    for (const chatId of crowd) {
      bot.telegram.faults.set({ kind: "slow", ms: 4_000, method: "sendMessage", chatId });
      flood(bot, chatId, 1);
    }
    flood(bot, ben, 1);
    await bot.untilIdle();
    expect(firstIn(bot, ben)).toBeLessThan(Math.min(...crowd.map((person) => firstIn(bot, person))));
  },
  LONG,
);

test(
  "DOOR-07 what matters is dealt with however much a chat says before it: /stop, and a block",
  async () => {
    const bot = await start();
    const [ana, ben] = [bot.person(), bot.person()];
    const [alice, bob] = [await bot.account("alice@example.com"), await bot.account("bob@example.com")];
    await bot.ask(ana, `/start ${await bot.link(alice)}`);
    await bot.ask(ben, `/start ${await bot.link(bob)}`);
    flood(bot, ana, 300);
    flood(bot, ana, 1, "/stop");
    flood(bot, ana, 50);
    flood(bot, ben, 300);
    changeStanding(bot.telegram, ben, { standing: "blocked" });
    await bot.untilIdle();
    const states = await bot.sql`select user_id, state from public.chats where state <> 'declined'`;
    expect(states.filter(({ user_id }) => user_id === alice)).toEqual([]);
    expect(states.filter(({ user_id }) => user_id === bob)).toMatchObject([{ state: "blocked" }]);
  },
  LONG,
);

test(
  "DOOR-07 one member's flood in a group neither holds up other chats nor silences the group's other members",
  async () => {
    const bot = await start();
    const [ana, ben] = [bot.person(), bot.person()];
    const group = bot.chat({
      kind: "supergroup",
      title: "Flat",
      creatorId: ana,
      members: { [ben]: "member" },
    });
    await bot.untilIdle();
    const name = bot.telegram.bot.username;
    flood(bot, ana, 300, `/id@${name}`, group);
    flood(bot, ben, 1, `/stop@${name}`, group);
    flood(bot, ben, 1);
    await bot.untilIdle();
    expect(acceptedIn(bot, ben)).toHaveLength(1);
    expect(
      acceptedIn(bot, group)
        .map(({ text }) => text)
        .at(-1),
    ).toBe(en("stop_nothing"));
    // The greeting, twenty answers, the word that it was enough, and the answer to the other member.
    expect(acceptedIn(bot, group).length).toBeLessThanOrEqual(23);
  },
  LONG,
);

test(
  "DOOR-07 200 pressed buttons of one person leave another's answered at once",
  async () => {
    const bot = await start();
    const [ana, ben] = [bot.person(), bot.person()];
    await bot.ask(ana, "/language");
    await bot.ask(ben, "/language");
    const press = (personId: number) => {
      const messageId = bot.botMessages(personId).at(-1)?.message_id ?? 0;
      return pressButton(bot.telegram, { personId, chatId: personId, messageId, text: "Deutsch" }).press;
    };
    bot.telegram.faults.set({ kind: "slow", ms: 100, method: "answerCallbackQuery", times: 20 });
    const anas = countTo(200).map(() => press(ana));
    const bens = press(ben);
    await expect.poll(() => bens?.answer?.text, PATIENCE).toContain("Deutsch");
    expect(anas.filter((one) => one?.answer === undefined).length).toBeGreaterThan(100);
    await bot.untilIdle();
  },
  LONG,
);

test(
  "DOOR-07 an outage of the database after the answer, before our note of it, has nothing answered twice",
  async () => {
    const bot = await start({ delays: { refusedMs: 50, conflictMs: 50, errorMs: 50 } });
    const ana = bot.person();
    await bot.ask(ana, "/help");
    bot.telegram.faults.set({ kind: "slow", ms: 1_000, method: "sendMessage" });
    flood(bot, ana, 1, "/help");
    await expect.poll(() => bot.telegram.ledger.calls.sendMessage, PATIENCE).toBe(2);
    await bot.database.shut();
    await expect.poll(() => acceptedIn(bot, ana).length, PATIENCE).toBe(2);
    // Whichever of its connections finds it out first.
    await expect.poll(() => bot.log.join("\n"), PATIENCE).toMatch(/could not listen|no longer runs/);
    await bot.database.reopen();
    flood(bot, ana, 1, "/status");
    await expect.poll(() => acceptedIn(bot, ana).at(-1)?.text, PATIENCE).toContain(en("nobody_connected"));
    await bot.untilIdle();
    expect(acceptedIn(bot, ana)).toHaveLength(3);
  },
  LONG,
);

test(
  "DOOR-07 a restart in the middle of a flood keeps each chat's order and answers nothing twice",
  async () => {
    const bot = await start({}, { floodControl: { chatBurst: 3, perSecond: 1000 } });
    const people = countTo(3).map(() => bot.person());
    const commands = ["/id", "/latest", "/status", "/help", "/pause", "/stop"];
    for (const command of commands) for (const person of people) flood(bot, person, 1, command);
    await expect.poll(() => bot.telegram.ledger.accepted.length, PATIENCE).toBeGreaterThan(5);
    await bot.bot.stop();
    const second = createBot(bot.botOptions);
    second.start();
    ends.push(second.stop);
    await bot.untilIdle();
    const alone = bot.person();
    const expected: string[] = [];
    for (const command of commands) expected.push(...(await bot.ask(alone, command)));
    for (const person of people) {
      const texts = acceptedIn(bot, person).map(({ text }) => text);
      expect(texts.map((text) => text.replaceAll(String(person), String(alone)))).toEqual(
        acceptedIn(bot, alone).map(({ text }) => text),
      );
    }
    expect(expected).toHaveLength(6);
  },
  LONG,
);
