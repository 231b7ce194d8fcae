import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Message } from "#simulators/telegram/model.ts";
import { pressStart } from "#simulators/telegram/phone/speak.ts";
import { addAlerts, newListing } from "#test/delivery/delivery-fixture.ts";
import { setUpTestBot } from "#test/test-bot.ts";
import { translatorOf } from "#text/translator.ts";
import { createDelivery, type Delivery } from "../../send/create-delivery.ts";
import { createTelegramChannel } from "../../send/create-telegram-channel.ts";
import { botTexts } from "../conversation/texts.ts";

const LINK = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400/";
const PATIENCE = { timeout: 60_000, interval: 20 };

const bot = setUpTestBot({}, { canStartInChat: true });
let delivery: Delivery;

beforeAll(() => {
  const { sql, databaseUrl, token, apiRoot, siteUrl, logger } = bot.botOptions;
  const channel = createTelegramChannel({ token, apiRoot, siteUrl });
  delivery = createDelivery({ sql, databaseUrl, channel, logger });
  delivery.start();
});

afterAll(() => delivery.stop());

const wordsOf = (message: Message | undefined) => message?.text ?? message?.caption ?? "";

test.each([
  ["en", "de"],
  ["de", "en"],
] as const)(
  "START-02 START-04 a newcomer (%s) who never opens the site watches, gets alerts, keeps, notes, pauses, changes the language, exports and deletes",
  async (language, other) => {
    const [say, sayOther] = [botTexts(language), botTexts(other)];
    const ana = bot.person({ firstName: "Ana", languageCode: language });
    let presses = 0;
    const press = (text: string) => {
      presses += 1;
      return bot.press(ana, ana, { text });
    };
    const nextMessage = async (act: () => Promise<unknown>) => {
      const before = bot.botMessages(ana).length;
      await act();
      await vi.waitFor(() => expect(bot.botMessages(ana).length).toBeGreaterThan(before), PATIENCE);
      return bot.botMessages(ana)[before];
    };

    pressStart(bot.telegram, ana);
    presses += 1;
    await bot.untilIdle();
    await bot.ask(ana, LINK);
    expect(await press(say("watch_it"))).toBe(say("note_search_added"));
    // The target is four presses and one pasted link.
    expect(presses).toBe(2);

    const [account] = await bot.sql<[{ userId: string }]>`
      select user_id as "userId" from watch.telegram_identities where telegram_id = ${ana}`;
    const { userId } = account;
    const alert = await nextMessage(() => addAlerts(bot.botOptions.sql, [newListing(userId, ana, "801")]));
    const home = translatorOf("home");
    expect(wordsOf(alert)).toContain(home(language)("alerts.new.titleIn", { place: "Trafalgar, Chamberí" }));
    expect(await press(say("keep"))).toBe(say("note_kept"));
    expect(await bot.ask(ana, "Call on Monday", ana, { replyTo: alert?.message_id })).toEqual([
      say("note_saved"),
    ]);
    expect([...(await bot.sql`select mark, note from public.marks where user_id = ${userId}`)]).toEqual([
      { mark: "kept", note: "Call on Monday" },
    ]);

    await bot.ask(ana, LINK.replace("chamberi", "retiro"));
    expect(await press(say("watch_it"))).toBe(say("note_search_added"));
    const [searches = ""] = await bot.ask(ana, "/searches");
    expect(searches).toMatch(/1\. .*Chamberí[\s\S]*2\. .*Retiro/);

    expect((await bot.ask(ana, "/pause"))[0]).toMatch(/^⏸ /);
    expect((await bot.ask(ana, "/resume"))[0]).toMatch(/^🏮 /);
    expect(await bot.ask(ana, `/language ${other}`)).toEqual([sayOther("language_chosen")]);
    const second = await nextMessage(() => addAlerts(bot.botOptions.sql, [newListing(userId, ana, "802")]));
    expect(wordsOf(second)).toContain(home(other)("alerts.new.titleIn", { place: "Trafalgar, Chamberí" }));

    await bot.ask(ana, "/export");
    const { file_id: fileId = "" } = (bot.botMessages(ana).at(-1)?.document ?? {}) as { file_id?: string };
    const exported = JSON.parse(new TextDecoder().decode(bot.telegram.documents.get(fileId)));
    expect(exported.searches).toHaveLength(2);
    expect(exported.marks).toMatchObject([{ note: "Call on Monday" }]);

    await bot.ask(ana, "/delete");
    await bot.ask(ana, sayOther("account_delete_word"));
    const notice = await nextMessage(() => press(sayOther("account_delete_now")));
    expect(wordsOf(notice)).not.toBe("");
    expect([...(await bot.sql`select from auth.users where id = ${userId}`)]).toEqual([]);
    expect([...(await bot.sql`select from public.chats where chat_id = ${ana}`)]).toEqual([]);
    // And may begin again.
    await bot.ask(ana, LINK);
    expect(await press(say("watch_it"))).toBe(say("note_search_added"));
  },
);
