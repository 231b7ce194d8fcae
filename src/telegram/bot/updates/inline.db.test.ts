import { expect, test, vi } from "vitest";
import { askInline } from "#simulators/telegram/phone/inline.ts";
import { addAlerts, newListing } from "#test/delivery/delivery-fixture.ts";
import { buttonsOf, startBotForTest, type TestBot } from "#test/test-bot.ts";
import { createDelivery } from "../../send/create-delivery.ts";
import { createTelegramChannel } from "../../send/create-telegram-channel.ts";

const PATIENCE = { timeout: 60_000, interval: 20 };

/** Ana has been alerted to a home, with a note and a place of her own. */
async function alerted(bot: TestBot, pictureUrl: string | null = null) {
  const ana = bot.person({ firstName: "Ana", languageCode: "en" });
  const alice = await bot.account("alice@example.com");
  await bot.saveFilter(alice, ana);
  await bot.connect(ana, alice);
  await bot.sql`insert into public.marks (user_id, listing_id, note) values (${alice}, '501', 'Our secret')`;
  await bot.sql`
    insert into public.own_places (user_id, name, latitude, longitude) values (${alice}, 'My work', 40.4, -3.7)`;
  const { sql, databaseUrl, token, apiRoot, siteUrl, logger } = bot.botOptions;
  const delivery = createDelivery({
    ...{ sql, databaseUrl, logger },
    channel: createTelegramChannel({ token, apiRoot, siteUrl }),
  });
  delivery.start();
  await addAlerts(bot.sql, [newListing(alice, ana, "501", { pictureUrl, latitude: 40.41, longitude: -3.7 })]);
  const alertOf = () =>
    bot.botMessages(ana).find(({ text, caption }) => (text ?? caption ?? "").includes("Fuencarral"));
  await vi.waitFor(() => expect(alertOf()).toBeDefined(), PATIENCE);
  await delivery.stop();
  const button = buttonsOf(alertOf()).find(({ text }) => text === "Send to…");
  return { ana, alice, query: button?.switch_inline_query_chosen_chat?.query ?? "" };
}

async function answerTo(bot: TestBot, personId: number, query: string) {
  const asked = askInline(bot.telegram, { personId, query });
  await vi.waitFor(() => expect(asked.answer).toBeDefined(), PATIENCE);
  return asked.answer;
}

test("RULE-06 the card is offered to the person who was alerted, personal and uncached, without anything of theirs", async () => {
  const bot = await startBotForTest({}, { inlineMode: true });
  const { ana, query } = await alerted(bot);
  expect(query).toMatch(/^[0-9a-f-]{36}$/);
  const answer = await answerTo(bot, ana, query);
  expect(answer).toMatchObject({ cacheTime: 0, isPersonal: true });
  const [card, ...more] = answer?.results ?? [];
  expect(more).toEqual([]);
  const text = JSON.stringify(card);
  for (const fact of ["€1,250", "58", "Trafalgar", "9%", "idealista.com/en/inmueble/501"]) {
    expect(text.replaceAll("\u00a0", " ")).toContain(fact);
  }
  expect(text).not.toMatch(/Our secret|My work|alice|callback_data|sereno\.example/);
});

test("RULE-06 strangers, guessed ids and typed words are offered nothing", async () => {
  const bot = await startBotForTest({}, { inlineMode: true });
  const { ana, query } = await alerted(bot, "https://img.example.com/1.jpg");
  const bob = bot.person({ firstName: "Bob" });
  const nothing = { results: [], cacheTime: 0, isPersonal: true };
  expect(await answerTo(bot, bob, query)).toEqual(nothing);
  for (const words of ["", "501", "' or true --", "00000000-0000-4000-8000-000000000000", query.slice(1)]) {
    expect(await answerTo(bot, ana, words)).toEqual(nothing);
  }
  expect((await answerTo(bot, ana, query))?.results[0]).toMatchObject({
    type: "photo",
    photo_url: "https://img.example.com/1.jpg",
  });
  // A chat that was disconnected offers nothing any more.
  await bot.sql`update public.chats set state = 'declined'`;
  expect(await answerTo(bot, ana, query)).toEqual(nothing);
});

test("RULE-06 inline queries have a limit of their own", async () => {
  const bot = await startBotForTest({}, { inlineMode: true });
  const { ana, query } = await alerted(bot);
  const counts: number[] = [];
  for (let n = 0; n < 25; n += 1) counts.push((await answerTo(bot, ana, query))?.results.length ?? -1);
  expect(counts.filter((count) => count === 1)).toHaveLength(20);
  // Messages are still answered.
  expect(await bot.ask(ana, "/id")).toHaveLength(1);
});

test("RULE-06 without inline mode the button is absent", async () => {
  const bot = await startBotForTest();
  const { query } = await alerted(bot);
  expect(query).toBe("");
});
