import { expect, test } from "vitest";
import { setUpTestBot } from "#test/test-bot.ts";
import de from "#text/locales/de/health.json" with { type: "json" };
import es from "#text/locales/es/health.json" with { type: "json" };
import { botTexts } from "../conversation/texts.ts";

const bot = setUpTestBot();

/** A user with one search, in a chat in their language. */
async function connected(languageCode: string) {
  const userId = bot.alice;
  const ana = bot.person({ firstName: "Ana", languageCode });
  await bot.connect(ana, userId);
  const key = `feed ${bot.testNumber}`;
  const begin = async () => {
    await bot.saveFilter(userId, ana);
    await bot.sql`
      insert into watch.feeds (key, source, query, interval_seconds, last_ok_at)
      values (${key}, 'official', '{}', 600, ${new Date(bot.clock.now - 180_000)})`;
    await bot.sql`
      insert into watch.compiled_searches (filter_id, user_id, filter_url, feed_key, baseline_at)
      select id, user_id, filter_url, ${key}, now() from public.filter_settings where user_id = ${userId}`;
  };
  return { userId, ana, key, begin };
}

test("BOT-04 TRUE-02 MAIL-09 COVER-02 /status shows the search's status, its interval, the last check, gaps and the counts of its alerts", async () => {
  const { userId, ana, key, begin } = await connected("en");
  const status = async () => (await bot.ask(ana, "/status")).join("\n");
  expect(await status()).toBe(`alice${bot.testNumber}@example.com\nNo search is saved yet.`);
  await begin();
  for (const [listing, state] of [
    ["1", "sent"],
    ["2", "pending"],
    ["3", "undeliverable"],
  ] as const) {
    await bot.sql`insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, held_at, not_before, search_ids)
      values (${userId}, ${ana}, 'new', ${listing}, '{}', ${state}, now(), now() + interval '1 hour',
        array(select id from public.searches where first_of = ${userId}))`;
  }
  expect(await status()).toBe(
    [
      `alice${bot.testNumber}@example.com`,
      "Homes to rent in Madrid",
      "🏮 Watching for new listings",
      "Every 10 minutes",
      "Last check: 3 min ago",
      "Last 24 hours\u00a0· Found\u00a03\u00a0· Sent\u00a01\u00a0· Waiting\u00a01\u00a0· Not delivered\u00a01",
    ].join("\n"),
  );
  await bot.sql`
    insert into watch.gaps (search_id, feed_key, cause, from_at, until_at, tell_at, told_at)
    select id, ${key}, 'downtime', '2026-01-05T09:00:00Z', '2026-01-05T13:00:00Z', now(), now()
    from public.searches where first_of = ${userId}`;
  expect((await status()).split("\n")).toContain(
    "5 Jan, 10:00 to 5 Jan, 14:00: Sereno may have missed listings. It has read back as far as it could.",
  );
  await bot.sql`update watch.gaps set told_at = now() - interval '8 days'`;
  expect(await status()).not.toContain("may have missed");
  const every = async (seconds: number) => {
    await bot.sql`update watch.feeds set interval_seconds = ${seconds} where key = ${key}`;
    return (await status()).split("\n")[3];
  };
  expect(await every(60)).toBe("Every 10 minutes");
  expect(await every(259_200)).toBe("Every 3 days");
  await bot.sql`insert into public.received_mails (user_id, outcome) values (${userId}, 'digest')`;
  expect(await every(259_200)).toBe("When Idealista emails you");
});

const SPENT = "2099-12-01T00:00:00+01:00";
const MUTED_UNTIL = "2099-12-01T14:05:00+01:00";
const SINCE = "2026-11-10T13:05:00Z";

test.each([
  [
    "es",
    {
      date: "1 de diciembre",
      since: "el 10 de noviembre a las 14:05\u00a0h",
      until: "hasta el 1 de diciembre a las 14:05\u00a0h",
    },
  ],
  [
    "de",
    {
      date: "1. Dezember",
      since: "dem 10. November, 14:05\u00a0Uhr",
      until: "bis zum 1. Dezember, 14:05\u00a0Uhr",
    },
  ],
] as const)(
  "TRUE-01 the chat shows every status in the words of the website (%s)",
  async (language, when) => {
    const { userId, ana, key, begin } = await connected(language);
    await begin();
    // An unreachable chat cannot ask for its status, so another chat is the unreachable one.
    await bot.sql`insert into public.searches (user_id, filter_url, receiver_ids, is_paused, name)
    select user_id, 'https://www.idealista.com/venta-viviendas/soria-soria/', receiver_ids, true, 'Otra'
    from public.filter_settings where user_id = ${userId}`;
    const words = { es, de }[language];
    const expectSaid = async (sign: string, title: string, text?: string) => {
      const line = `${sign} ${title}`;
      // Start a new minute of the rate limit.
      bot.clock.now += 60_000;
      expect((await bot.ask(ana, "/status"))[0]?.split("\n")).toContain(line);
      expect((await bot.ask(ana, "/searches"))[0]?.split("\n")).toContain(line);
      const [search] = await bot.sql`select id from public.filter_settings where user_id = ${userId}`;
      const packed = Buffer.from(search?.id.replaceAll("-", ""), "hex").toString("base64url");
      await bot.press(ana, ana, { data: `o:${packed}` });
      const card = bot.botMessages(ana).at(-1)?.text?.split("\n") ?? [];
      expect(card).toContain(line);
      if (text !== undefined) expect(card).toContain(text);
    };
    const chat = (state: string, reason: string | null = null) => bot.sql`
    update public.chats set state = ${state}, reason = ${reason} where user_id = ${userId} and chat_id <> ${ana}`;

    await expectSaid("🏮", words.watching.title);
    await bot.sql`update watch.compiled_searches set baseline_at = null where user_id = ${userId}`;
    await expectSaid("🏮", words.first.title, words.first.text);
    await bot.sql`update watch.compiled_searches set checked_at = now() where user_id = ${userId}`;
    await expectSaid("🏮", words.first.again, words.first.text);
    await bot.sql`update watch.feeds set failing_since = ${SINCE}, failure_reason = 'server-trouble' where key = ${key}`;
    await expectSaid(
      "⚠️",
      words.failing.title.replace("{{since}}", when.since),
      words.failing.text.replace("{{reason}}", words.reasons["server-trouble"]),
    );
    await bot.sql`update watch.feeds set failure_reason = 'quota-spent', spent_until = ${SPENT} where key = ${key}`;
    await expectSaid(
      "⚠️",
      words.spent.title.replace("{{date}}", when.date),
      words.spent.text.replace("{{date}}", when.date),
    );
    await bot.sql`insert into watch.pause default values`;
    await expectSaid("⏸", words.held.title, words.held.text);
    const mute = (until: string | null) =>
      bot.sql`update watch.chats set muted_until = ${until}::text::timestamptz where chat_id = ${ana}`;
    await mute(MUTED_UNTIL);
    await expectSaid("🔕", words.muted.until.replace("{{until}}", when.until), words.muted.untilText);
    await mute("infinity");
    await expectSaid("🔕", words.muted.endless, words.muted.endlessText);
    await mute(null);
    await bot.sql`delete from watch.pause`;
    await bot.sql`update public.filter_settings set receiver_ids = '{501}' where user_id = ${userId}`;
    await expectSaid("⚠️", words.waitingForYes.title, words.waitingForYes.text);
    await chat("waiting", "not-found");
    await expectSaid("⚠️", words.noChat.title, words.noChat.text);
    for (const [state, reason, said] of [
      ["blocked", null, "blocked"],
      ["declined", "stopped", "stopped"],
      ["declined", "said-no", "declined"],
      ["unreachable", "left", "unreachable"],
    ] as const) {
      await chat(state, reason);
      await expectSaid("⚠️", words.chatsLost.only[said], words.chatsLost.text);
    }
    await bot.sql`update public.filter_settings set receiver_ids = '{501,502}' where user_id = ${userId}`;
    await expectSaid("⚠️", words.chatsLost.title, words.chatsLost.text);
    await bot.sql`update watch.compiled_searches set problem = 'no-source' where user_id = ${userId}`;
    await expectSaid("⚠️", words.noSource.title, words.noSource.text);
    await bot.sql`update watch.compiled_searches set problem = 'not-a-search' where user_id = ${userId}`;
    await expectSaid("⚠️", words.notASearch.title, words.notASearch.text);
    await bot.sql`update public.filter_settings set is_paused = true where user_id = ${userId}`;
    await expectSaid("⏸", words.paused.title, words.paused.text);
  },
);

test("START-06 /web opens the site in any chat, with a link that signs nobody in", async () => {
  const stranger = bot.person({ languageCode: "de" });
  expect(await bot.ask(stranger, "/web")).toEqual([botTexts("de")("web_hint")]);
  expect(bot.lastKeyboard(stranger)).toEqual([
    expect.objectContaining({ url: "https://sereno.example/de/filter-settings" }),
  ]);
});

test("LAST-06 /status says by which clock quiet hours are, that of the search's place at first, and changes it", async () => {
  const { userId, ana, begin } = await connected("en");
  await begin();
  const zoneLine = async () => (await bot.ask(ana, "/status")).join("\n").match(/🌙 .*/)?.[0];
  expect(await zoneLine()).toBeUndefined();
  await bot.sql`
    update public.searches set quiet_from = '23:00', quiet_until = '07:00',
      filter_url = 'https://www.idealista.com/alquiler-viviendas/las-palmas/' where user_id = ${userId}`;
  expect(await zoneLine()).toBe("🌙 Quiet hours follow Canary Islands time.");
  await bot.press(ana, ana, { text: "Use mainland time" });
  expect(bot.botMessages(ana).at(-1)?.text).toBe("🌙 Quiet hours follow mainland time.");
  expect(await zoneLine()).toBe("🌙 Quiet hours follow mainland time.");
  expect(await bot.sql`select time_zone from public.profiles where id = ${userId}`).toEqual([
    { time_zone: "Europe/Madrid" },
  ]);
  await bot.press(ana, ana, { text: "Use Canary Islands time" });
  expect(await zoneLine()).toBe("🌙 Quiet hours follow Canary Islands time.");
});
