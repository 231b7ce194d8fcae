import { expect, test } from "vitest";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { botTexts } from "../conversation/texts.ts";

const en = botTexts("en");
const bot = setUpTestBot();

const URLS = ["madrid/chamberi", "madrid/retiro"].map(
  (place) => `https://www.idealista.com/alquiler-viviendas/${place}/`,
);
const packed = (id = "") => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
const lastText = (chat = bot.ana) => bot.botMessages(chat).at(-1)?.text ?? "";
const lastData = (chat = bot.ana) =>
  buttonsOf(bot.botMessages(chat).at(-1)).map((one) => one.callback_data ?? "");

async function add(chat = bot.ana, urls = URLS.slice(0, 1)): Promise<string[]> {
  await bot.connect(bot.ana, bot.alice, chat);
  const ids: string[] = [];
  for (const url of urls) {
    const [row] = await bot.sql`select search_id from watch.add_search(${bot.alice}, ${chat}, ${url})`;
    ids.push(row?.search_id);
  }
  return ids;
}

const rulesOf = async (searchId = "") =>
  (await bot.sql`select rules, is_folded from public.searches where id = ${searchId}`)[0];

/** A home that the search found, with its alert in the chat. */
async function find(searchId: string, listingId: string, listing: object): Promise<void> {
  const now = new Date(bot.clock.now);
  const met = { propertyCode: listingId, operation: "rent", kind: "homes", ...listing };
  await bot.sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at)
    values (${listingId}, '{}', ${bot.sql.json(met as never)}, 900, ${listingId}, ${now}, ${now})`;
  await bot.sql`
    insert into public.listings (user_id, listing_id, created_at, details, search_ids)
    values (${bot.alice}, ${listingId}, ${now}, '{}', array[${searchId}]::uuid[])`;
  await bot.sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, search_ids)
    values (${bot.alice}, ${bot.ana}, 'new', ${listingId}, ${bot.sql.json({ listing: met } as never)}, 'sent',
      array[${searchId}]::uuid[])`;
}

test("EASY-02 RULE-02 /rules shows what a rule would have done before it is saved, and saves it for that search alone", async () => {
  expect(await bot.ask(bot.ana, "/rules")).toEqual([expect.stringContaining(en("nobody_connected"))]);
  const [first = "", second = ""] = await add(bot.ana, URLS);
  for (const [id, kind] of [
    ["1", "auction"],
    ["2", "seasonal"],
    ["3", "seasonal"],
  ] as const)
    await find(first, id, { warnings: [{ kind, words: "x" }] });
  await bot.ask(bot.ana, "/rules");
  await bot.press(bot.ana, bot.ana, { data: `U:${packed(first)}` });
  expect(lastText()).toContain(en("rules_none"));
  expect(lastData()).toContain(`I:${packed(first)}`);
  await bot.press(bot.ana, bot.ana, { data: `I:${packed(first)}` });
  // What people want first comes first.
  expect(lastData().slice(0, 4)).toEqual(
    ["a.agency", "w.seasonal", "w.shared-flat", "p.above.20"].map((rule) => `Y:${packed(first)}:${rule}`),
  );
  const pairs = (bot.botMessages(bot.ana).at(-1)?.reply_markup?.inline_keyboard ?? []).filter(
    ({ length }) => length > 1,
  );
  expect(pairs.flat().length).toBeGreaterThan(0);
  for (const { text } of pairs.flat()) expect(text.length).toBeLessThan(18);
  await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:w.seasonal` });
  expect(lastText()).toContain(
    "Leave out\nIn the last 30 days, these rules would have left out 2 of 3 homes and sent 0 silently.",
  );
  expect(lastText()).toContain(
    "Alert silently\nIn the last 30 days, these rules would have left out 0 of 3 homes and sent 2 silently.",
  );
  expect(await rulesOf(first)).toMatchObject({ rules: [] });
  expect(await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:w.seasonal:l` })).toBe(
    en("note_rule_saved"),
  );
  const rule = { on: "warning", kind: "seasonal", act: "leave-out" };
  expect(await rulesOf(first)).toMatchObject({ rules: [rule] });
  expect(await rulesOf(second)).toMatchObject({ rules: [] });
  expect(lastText()).toContain("🚫 Leave out: seasonal or temporary let · 2 of 3 homes in the last 30 days");
  // Alert removes the rule.
  await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:w.seasonal` });
  await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:w.seasonal:a` });
  expect(await rulesOf(first)).toMatchObject({ rules: [] });
});

test("RULE-02 words of the website can be switched in the chat and are kept", async () => {
  const [first = ""] = await add();
  const rule = { on: "words", are: "present", words: ["ático"], act: "silent" };
  await bot.sql`update public.searches set rules = ${bot.sql.json([rule])} where id = ${first}`;
  await bot.ask(bot.ana, "/rules");
  expect(lastText()).toContain("mentions “ático”");
  await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:t.present` });
  await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:t.present:a` });
  expect(await rulesOf(first)).toMatchObject({ rules: [{ ...rule, act: "alert" }] });
  // A rule that was deleted meanwhile.
  await bot.sql`update public.searches set rules = '[]' where id = ${first}`;
  const forged = { data: `Y:${packed(first)}:t.present:l`, isForged: true };
  expect(await bot.press(bot.ana, bot.ana, forged)).toBe(en("note_dead_button"));
});

test("RULE-02 words typed after /rules are added to the rule or removed, and take effect when a choice is pressed", async () => {
  const [first = "", second = ""] = await add(bot.ana, URLS);
  await find(first, "601", { title: "Piso en planta baja" });
  expect(await bot.ask(bot.ana, "/rules planta baja")).toEqual([en("rules_words_usage")]);
  const [card = ""] = await bot.ask(bot.ana, "/rules 1 Planta Baja, interior");
  expect(card).toContain("would have left out 1 of 1");
  const rule = { on: "words", are: "present", words: ["Planta Baja", "interior"], act: "alert" };
  expect(await rulesOf(first)).toMatchObject({ rules: [rule] });
  await bot.press(bot.ana, bot.ana, { data: `Y:${packed(first)}:t.present:l` });
  expect(await rulesOf(first)).toMatchObject({ rules: [{ ...rule, act: "leave-out" }] });
  await bot.ask(bot.ana, "/rules 1 -planta baja, garaje");
  expect(await rulesOf(first)).toMatchObject({
    rules: [{ ...rule, words: ["interior", "garaje"], act: "leave-out" }],
  });
  await bot.ask(bot.ana, "/rules 1 -interior, -garaje");
  expect(lastText()).toContain(en("rules_none"));
  expect(await rulesOf(first)).toMatchObject({ rules: [] });
  expect(await rulesOf(second)).toMatchObject({ rules: [] });
});

test("RULE-02 after Hide, Less of this offers the rules that fit the home", async () => {
  const [first = ""] = await add();
  await find(first, "501", {
    warnings: [{ kind: "no-photo" }],
    isPrivate: false,
    comparison: { percent: 23, samples: 9, place: "x" },
  });
  const keyboard = [[{ text: en("hide"), callback_data: "h:501" }]];
  await bot.post(bot.ana, "A flat", { reply_markup: { inline_keyboard: keyboard } });
  await bot.press(bot.ana, bot.ana, { data: "h:501" });
  await bot.press(bot.ana, bot.ana, { data: "E:501" });
  expect(lastText()).toBe(en("less_question"));
  const start = `Y:${packed(first)}`;
  expect(lastData()).toEqual([`${start}:w.no-photo`, `${start}:a.agency`, `${start}:p.above.20`]);
  await bot.press(bot.ana, bot.ana, { data: `${start}:p.above.20` });
  await bot.press(bot.ana, bot.ana, { data: `${start}:p.above.20:s` });
  expect(await rulesOf(first)).toMatchObject({
    rules: [{ on: "zone-price", is: "above", percent: 20, act: "silent" }],
  });
});

test("ONE-04 /rules says how many saved rules cannot be read, and the others act", async () => {
  const [first = ""] = await add();
  const rule = { on: "advertiser", is: "agency", act: "leave-out" };
  const stored = [{ on: "words", are: "present", words: [" "], act: "silent" }, rule, { on: "haunted" }];
  await bot.sql`update public.searches set rules = ${bot.sql.json(stored)} where id = ${first}`;
  await bot.ask(bot.ana, "/rules");
  expect(lastText()).toContain("2 saved rules can't be read and do nothing.");
  expect(lastText()).toContain("🚫 Leave out: agency");
});

test("RULE-02 a chat changes the rules of its own accounts only, and in a group only administrators do", async () => {
  const stranger = await bot.account("bob@example.com");
  await bot.saveFilter(stranger, 99);
  const [row] = await bot.sql`select id from public.searches where user_id = ${stranger}`;
  await add();
  const forged = { data: `Y:${packed(row?.id)}:a.agency:l`, isForged: true };
  await bot.ask(bot.ana, "/rules");
  expect(await bot.press(bot.ana, bot.ana, forged)).toBe(en("note_search_gone"));
  expect(await rulesOf(row?.id)).toMatchObject({ rules: [] });
  const member = bot.person();
  const group = bot.chat({ kind: "group", title: "x", creatorId: bot.ana, members: { [member]: "member" } });
  const [ours = ""] = await add(group, [URLS[1] ?? ""]);
  await bot.ask(bot.ana, "/rules", group);
  const mine = { data: `Y:${packed(ours)}:a.agency:l`, isForged: true };
  expect(await bot.press(member, group, mine)).toBe(en("administrators_only"));
  expect(await rulesOf(ours)).toMatchObject({ rules: [] });
  expect(await bot.press(bot.ana, group, mine)).toBe(en("note_rule_saved"));
});

test("RULE-04 the offer of a summary switches it only if a person presses the button, and back", async () => {
  const [first = ""] = await add();
  const keyboard = [[{ text: "Summary", callback_data: `F:${packed(first)}` }]];
  await bot.post(bot.ana, "An offer", { reply_markup: { inline_keyboard: keyboard } });
  expect(await rulesOf(first)).toMatchObject({ is_folded: false });
  await bot.press(bot.ana, bot.ana, { data: `F:${packed(first)}` });
  expect(await rulesOf(first)).toMatchObject({ is_folded: true });
  await bot.press(bot.ana, bot.ana, { data: `G:${packed(first)}` });
  expect(await rulesOf(first)).toMatchObject({ is_folded: false });
});
