import { beforeEach, expect, test } from "vitest";
import { searchOfAnswers } from "#core/search/search-answers.ts";
import { say } from "#simulators/telegram/phone/speak.ts";
import { buttonsOf, setUpTestBot } from "#test/test-bot.ts";
import { formatCallbackData, parseCallbackData } from "../../callback-data.ts";
import { botTexts, siteTexts } from "../conversation/texts.ts";

const [en, de] = [botTexts("en"), botTexts("de")];
const [enSite, deSite] = [siteTexts("en"), siteTexts("de")];
const CHAMBERI = "0-EU-ES-28-07-001-079-07";

const bot = setUpTestBot({}, { canStartInChat: true });
let person: number;

beforeEach(() => {
  person = bot.person({ languageCode: "en" });
});

const last = () => bot.botMessages(person).at(-1);
const labels = () => buttonsOf(last()).map(({ text }) => text);
const press = (text: string) => bot.press(person, person, { text });
const forge = (data: string) => bot.press(person, person, { data, isForged: true });
const linkIn = () => last()?.entities?.find(({ type }) => type === "text_link")?.url;
const share = async (latitude: number, longitude: number) => {
  const before = bot.botMessages(person).length;
  const more = { text: undefined as never, location: { latitude, longitude } };
  say(bot.telegram, { personId: person, text: "", more });
  await bot.untilIdle();
  return bot.botMessages(person)[before]?.text;
};
/** Answers up to the question where to look. */
const askWhere = async () => {
  await bot.ask(person, "/start");
  await press(en("questions_button"));
  await press(enSite("questions.rent"));
};

test("START-03 the questions write the same link as those on the website, and it is watched", async () => {
  await askWhere();
  expect(last()?.text).toBe(en("question_where"));
  await bot.ask(person, "chamberi");
  expect(last()?.text).toContain("Chamberí, Madrid");
  expect(last()?.text).toContain(en("question_price_rent"));
  await press("€1,200");
  expect(last()?.text).toContain("up to €1,200");
  expect(labels()).toEqual(["Studio", "1+", "2+", "3+", "4+", en("question_any_bedrooms")]);
  await press("2+");
  const onTheWebsite = searchOfAnswers({
    operation: "rent",
    where: { type: "place", placeId: CHAMBERI },
    maxPriceEur: 1_200,
    bedrooms: [2, 3, 4],
  });
  expect(linkIn()).toBe(onTheWebsite.url);
  expect(await press(en("watch_it"))).toBe(en("note_search_added"));
  const [saved] = await bot.sql`
    select filter_url from public.searches join watch.telegram_identities using (user_id) where telegram_id = ${person}`;
  expect(saved?.filter_url).toBe(onTheWebsite.url);
});

test("START-03 in German, with a city, a district by button and a typed price", async () => {
  person = bot.person({ languageCode: "de" });
  await bot.ask(person, "/start");
  await press(de("questions_button"));
  expect(last()?.text).toBe(deSite("questions.operation"));
  await press(deSite("questions.sale"));
  await press("Madrid");
  expect(last()?.text).toBe(de("question_part", { place: "Madrid" }));
  expect(labels()[0]).toBe(de("question_everywhere", { place: "Madrid" }));
  expect(labels()).toHaveLength(22);
  await press("Chamberí");
  expect(labels()).toContain("300.000\u00a0€");
  await bot.ask(person, "350.000 €");
  expect(last()?.text).toContain("bis 350.000\u00a0€");
  await press(de("question_any_bedrooms"));
  expect(linkIn()).toBe(
    searchOfAnswers({
      operation: "sale",
      where: { type: "place", placeId: CHAMBERI },
      maxPriceEur: 350_000,
      bedrooms: [],
    }).url,
  );
  expect(await press(de("watch_it"))).toBe(de("note_search_added"));
});

test("START-03 a connected person gets the questions from /watch and from a text that is not understood", async () => {
  await bot.connect(bot.ana, bot.alice);
  person = bot.ana;
  for (const text of ["/watch", "good morning to you"]) {
    await bot.ask(person, text);
    expect(labels()).toEqual([en("questions_button")]);
  }
  await press(en("questions_button"));
  await press(enSite("questions.rent"));
  await press("València");
  await press(en("question_everywhere", { place: "València" }));
  await press(en("question_any_price"));
  await press("Studio");
  expect(await press(en("watch_it"))).toBe(en("note_search_added"));
  const rows = await bot.sql`select filter_url from public.searches where user_id = ${bot.alice}`;
  expect(rows).toEqual([{ filter_url: expect.stringContaining("/valencia-valencia/con-estudios/") }]);
});

test("START-03 the offered prices come from the market figures of the place or the one around it", async () => {
  await bot.sql`
    insert into public.market_figures (place_id, place_name, operation, size_band, seen_count, median_per_m2_eur,
      low_per_m2_eur, high_per_m2_eur, gone_count, cut_percent, prices_per_m2_eur)
    values ('0-EU-ES-28-07-001-079', 'Madrid', 'rent', 'all', 40, 20, 15, 25, 0, 0, '{}')`;
  await askWhere();
  await bot.ask(person, "Chamberí");
  expect(labels().slice(0, 6)).toEqual(["€900", "€1,200", "€1,500", "€1,900", "€2,400", "€3,300"]);
  await bot.sql`delete from public.market_figures`;
});

test("START-03 an unknown place is refused with the nearest names, and anything else is refused too", async () => {
  await askWhere();
  expect((await bot.ask(person, "Chamberni"))[0]).toBe(en("question_nearest_places", { place: "Chamberni" }));
  expect(labels()).toContain("Chamberí, Madrid");
  for (const typed of [
    "xqzwkjv",
    "🏠🏠",
    "'; drop table auth.users; --",
    "<b>x</b>&<a href='//evil.example'>y</a>",
  ]) {
    expect(await bot.ask(person, typed)).toEqual([en("question_unknown_place")]);
  }
  expect(await bot.ask(person, `Madrid${"x".repeat(100_000)}`)).toEqual([en("question_unknown_place")]);
  // The question is still open.
  await bot.ask(person, "Getafe");
  expect(labels()[0]).toContain("Getafe");
});

test("EASY-01 a place is understood in the person's words, and asked about where several have the name", async () => {
  for (const [typed, place] of [
    ["Чамбери", "Chamberí, Madrid"],
    ["Saragosse", "Zaragoza"],
    ["chamberi madrid", "Chamberí, Madrid"],
    ["Majorca", "Mallorca"],
  ] as const) {
    await askWhere();
    await bot.ask(person, typed);
    expect(last()?.text).toContain(place);
    expect(last()?.text).toContain(en("question_price_rent"));
  }
  await askWhere();
  expect((await bot.ask(person, "Ibiza"))[0]).toBe(en("question_which_place"));
  await askWhere();
  expect((await bot.ask(person, "Galicia"))[0]).toBe(en("question_which_place"));
  expect(labels()).toEqual([
    "Galicia",
    "A Coruña province",
    "Lugo province",
    "Ourense province",
    "Pontevedra province",
  ]);
});

test("START-03 a name with markup is shown as text", async () => {
  await askWhere();
  const [answer] = await bot.ask(person, "<Madird>");
  expect(answer).toBe(en("question_nearest_places", { place: "<Madird>" }));
});

test("START-03 a shared location is a zone, its district or its town; outside Spain it is refused", async () => {
  await askWhere();
  expect(await share(40.4326, -3.7001)).toBe(en("question_which_place"));
  expect(labels()).toEqual([expect.stringContaining("Chamberí, Madrid"), "Chamberí, Madrid", "Madrid"]);
  for (const [latitude, longitude] of [
    [52.52, 13.405],
    [0, 0],
    [-90, 180],
  ] as const) {
    const answer = await share(latitude, longitude);
    expect(answer).toBe(en("question_no_place_here"));
  }
  await press("Madrid");
  const shown = bot.botMessages(person).map(({ text = "" }) => text);
  expect(shown.join()).toContain(en("question_price_rent"));
  // Without that question it is not an answer.
  expect(await share(40.4326, -3.7001)).not.toBe(en("question_which_place"));
});

test("START-03 elsewhere, a shared location is the town of the nearest listing that a source has seen", async () => {
  const listing = { latitude: 37.3886, longitude: -5.9823, municipality: "Sevilla" };
  await bot.sql`
    insert into watch.portal_listings (listing_id, home_id, place_id, price_eur, listing, card, first_seen_at, last_seen_at)
    values ('9001', '9001', '0-EU-ES-41-09-001-091-03-004', 900, '{}', ${bot.sql.json(listing)}, now(), now())`;
  await askWhere();
  expect(await share(37.39, -5.98)).toBe(en("question_which_place"));
  expect(labels()).toEqual(["Sevilla"]);
});

test("START-03 after a typed or chosen place without districts, a typed number is the price", async () => {
  await askWhere();
  await bot.ask(person, "Chamberí");
  await bot.ask(person, "1300");
  expect(last()?.text).toContain("up to €1,300");
  await askWhere();
  await bot.ask(person, "Chamberni");
  await press("Chamberí, Madrid");
  await bot.ask(person, "1250");
  expect(last()?.text).toContain("up to €1,250");
});

test("START-03 a typed price must be whole euros", async () => {
  await askWhere();
  await press("Barcelona");
  await press(en("question_everywhere", { place: "Barcelona" }));
  for (const typed of ["cheap please", "950,50", "-3", "1' or '1'='1", "9".repeat(100_000)]) {
    expect(await bot.ask(person, typed)).toEqual([en("question_bad_price")]);
  }
  await bot.ask(person, "1.100");
  expect(last()?.text).toContain(en("question_bedrooms"));
  expect(last()?.text).toContain("up to €1,100");
});

test("START-03 a command or a link is not taken as an answer, and an old question is closed", async () => {
  await askWhere();
  expect((await bot.ask(person, "/id"))[0]).toContain(String(person));
  const [offer] = await bot.ask(person, "https://www.idealista.com/alquiler-viviendas/getafe-madrid/");
  expect(offer).toContain(en("link_question"));
  bot.clock.now += 3_600_000;
  expect(await bot.ask(person, "Chamberí")).toEqual([en("not_understood")]);
  // A button holds the answers before it, so it still works.
  await press("Barcelona");
  const shown = bot.botMessages(person).map(({ text }) => text);
  expect(shown).toContain(en("question_part", { place: "Barcelona" }));
});

test("START-03 forged answers are refused; swapped ones only change the person's own search", async () => {
  await bot.ask(person, "/help");
  for (const data of [
    ...["Q", "Q:", "Q:x", "Q:r:", "Q:r:99-99", "Q:r:28-07-001-079:-1", "Q:r:28-07-001-079:zzzzzzzz"],
    ...["Q:r:28-07-001-079:00", "Q:r:28-07-001-079:xc:9", "Q:r:28-07-001-079:xc:2:3", "Q:r:__proto__:xc"],
    ...["Q:r:28-07-001-079:XC", "Q:r:constructor", "Q:r:28-07-001-079'--", "N:", "N1"],
  ]) {
    expect([data, await forge(data)]).toEqual([data, en("note_dead_button")]);
  }
  await forge("Q:s:galdakao_48:xc:0");
  expect(linkIn()).toContain("/venta-viviendas/galdakao-vizcaya/con-precio-hasta_1200,estudios/");
  const mallory = bot.person({ languageCode: "en" });
  expect(await bot.press(mallory, person, { data: "Q:r", isForged: true })).toBe(en("administrators_only"));
});

test("START-03 every answer fits into a button and is read back from it", () => {
  const longest = "Q:s:san-bartolome-de-tirajana_35:1njchr:4";
  for (const data of [
    "Q:r",
    "Q:s",
    "Q:r:28-07-001-079",
    "Q:r:28-07-001-079:",
    "Q:r:28-07-001-079:0:a",
    longest,
  ]) {
    const read = parseCallbackData(data);
    expect([data, read?.act]).toEqual([data, "question"]);
    expect(read && formatCallbackData(read)).toBe(data);
  }
});
