import { expect, test } from "vitest";
import type { AlertListing, AlertNews } from "#core/alert/alert.ts";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { FILTER_URL, listingOf } from "#test/delivery/delivery-fixture.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { comparisonWords } from "#text/home-words.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import { parseCallbackData } from "../../callback-data.ts";
import { plainOf } from "../../html.ts";
import type { OwnFacts, SearchNews } from "../channel.ts";
import { type RenderOptions, renderNews } from "./render-alert.ts";

const USER_ID = "0e02b2c3-d479-4372-a567-f47ac10b58cc";
const render = (news: readonly SearchNews[], language: Language = "en", more: Partial<RenderOptions> = {}) =>
  renderNews(news, { language, userId: USER_ID, siteUrl: "https://sereno.example", isShort: false, ...more });
/** The visible text, with plain spaces. */
const read = (...args: Parameters<typeof render>) =>
  plainOf(render(...args).html)
    .replaceAll(/[\u00a0\u202f]/g, " ")
    .split("\n");
const texts = translatorOf("alert");
const t = texts("en");
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const fresh = (changes: Partial<AlertListing> = {}): AlertNews => ({
  kind: "new",
  payload: { listing: listingOf("7", changes) },
});

test("BOT-02 LANG-01 LANG-08 a new listing in five languages: title, home, price first, price per m² with its comparison", () => {
  const place = "Trafalgar, Chamberí";
  const facts = {
    en: ["€1,250 · 58 m² · 2 bedrooms · ", "€21.6/m²"],
    es: ["1.250 € · 58 m² · 2 dormitorios · ", "21,6 €/m²"],
    ru: ["1 250 € · 58 м² · 2 спальни · ", "21,6 €/м²"],
    de: ["1.250 € · 58 m² · 2 Schlafzimmer · ", "21,6 €/m²"],
    fr: ["1 250 € · 58 m² · 2 chambres · ", "21,6 €/m²"],
  } as const;
  for (const language of SPECIFIED_LANGUAGES) {
    const [title, home, line, perM2, ...more] = read([fresh()], language);
    expect(title).toBe(plain(`🏮 ${texts(language)("newIn", { place })}`));
    expect(home?.toLowerCase()).toContain(", calle de fuencarral");
    expect(line?.startsWith(facts[language][0])).toBe(true);
    const comparison = comparisonWords(
      { percent: -9, samples: 84, place: "Trafalgar" },
      wordsOf("home", language),
    );
    expect(perM2).toBe(`${facts[language][1]}, ${plain(comparison)}`);
    expect(more).toEqual([]);
  }
  expect(read([fresh()]).slice(1)).toEqual([
    "Flat, Calle de Fuencarral",
    "€1,250 · 58 m² · 2 bedrooms · 3rd floor, lift",
    "€21.6/m², 9% below the usual price Sereno saw in Trafalgar, from 84 listings",
  ]);
});

test("BOT-02 the title and the price show what changed", () => {
  const place = "Trafalgar, Chamberí";
  const listing = listingOf("7", { priceEur: 1150, pricePerM2Eur: null });
  const told: AlertNews[] = [
    { kind: "price-drop", payload: { listing, formerPriceEur: 1250, dropPercent: 8 } },
    { kind: "readvertised", payload: { listing, formerListingId: "6", formerPriceEur: 1300 } },
    { kind: "readvertised", payload: { listing, formerListingId: "6", formerPriceEur: 1150 } },
    { kind: "back", payload: { listing } },
    { kind: "gone", payload: { listing } },
  ];
  expect(told.map((news) => read([news])).map(([title, , price]) => [title, price?.split(" · ")[0]])).toEqual(
    [
      [`📉 ${t("priceDropIn", { place })}`, "€1,250 → €1,150 (−8%)"],
      [`♻️ ${t("readvertisedIn", { place })}`, "€1,300 → €1,150"],
      [`♻️ ${t("readvertisedIn", { place })}`, "€1,150"],
      [`🔄 ${t("backIn", { place })}`, "€1,150"],
      [`🚪 ${t("goneIn", { place })}`, "€1,150"],
    ],
  );
  expect(render([{ kind: "gone", payload: { listing } }]).html).toContain("<s>€1,150</s>");
});

test("missing facts are left out without a placeholder", () => {
  const bare = fresh({
    ...{ address: null, neighborhood: null, district: null, municipality: null, areaM2: null, rooms: null },
    ...{
      floor: null,
      hasLift: null,
      pricePerM2Eur: null,
      comparison: null,
      typology: "new word",
      title: null,
    },
  });
  expect(read([bare])).toEqual([`🏮 ${t("newListing")}`, "Home", "€1,250"]);
  const scarce = fresh({ comparison: null, neighborhood: "Chamberí", floor: "bj", hasLift: false, rooms: 0 });
  expect(read([scarce])).toEqual([
    "🏮 New in Chamberí, Madrid",
    "Flat, Calle de Fuencarral",
    "€1,250 · 58 m² · studio · ground floor, no lift",
    "€21.6/m²",
  ]);
});

test("floors are numbered as each language does", () => {
  const floors = ["1", "2", "3", "11", "22", "en", "ss", "st", "-1", "x"].map((floor) =>
    fresh({ floor, hasLift: null }),
  );
  const said = (language: Language) => floors.map((news) => read([news], language)[2]?.split(" · ")[3]);
  expect(said("en")).toEqual([
    ...["1st floor", "2nd floor", "3rd floor", "11th floor", "22nd floor"],
    ...["mezzanine", "lower ground floor", "basement", "basement", undefined],
  ]);
  expect(said("fr").slice(0, 2)).toEqual(["1er étage", "2e étage"]);
});

test("a listing has its buttons, without those that Telegram would refuse", () => {
  const [open, acts] = render([fresh()]).buttons;
  expect(open).toEqual([{ text: "Open on Idealista", url: "https://www.idealista.com/inmueble/7/" }]);
  const presses = acts?.map((button) =>
    "callback_data" in button ? parseCallbackData(button.callback_data) : undefined,
  );
  expect(presses).toEqual([
    { act: "hide", propertyCode: "7" },
    { act: "keep", propertyCode: "7" },
    { act: "mute" },
  ]);
  expect(render([fresh({ url: "http://localhost/7", propertyCode: "9".repeat(64) })]).buttons).toEqual([
    [{ text: t("mute"), callback_data: "m" }],
  ]);
});

test("WATCH-04 the first message of a search has its description, the number of matches and the three newest, in six lines", () => {
  const newest = [listingOf("1"), listingOf("2"), listingOf("3")];
  const started: AlertNews = {
    kind: "watch-started",
    payload: { filterUrl: FILTER_URL, matchCount: 23, isAtLeast: true, newest },
  };
  const lines = read([started]).filter((line) => line !== "");
  expect(lines.slice(0, 3)).toEqual([
    `🏮 ${t("watchStarted")}`,
    "Homes to rent in Chamberí, Madrid, up to €1,500, 2 bedrooms",
    t("watchStartedAtLeast", { count: 23 }),
  ]);
  expect(lines).toHaveLength(6);
  expect(lines[3]).toBe("Flat, Calle de Fuencarral · €1,250 · 58 m²");
  const settings = { text: "Suche ändern", url: "https://sereno.example/de/filter-settings" };
  expect(render([started], "de").buttons).toEqual([[settings]]);
  expect(render([started], "de", { siteUrl: "http://localhost:3000" }).buttons).toEqual([]);
  const none: AlertNews = {
    kind: "watch-started",
    payload: { filterUrl: "?", matchCount: 0, isAtLeast: false, newest: [] },
  };
  expect(read([none])).toEqual([`🏮 ${t("watchStarted")}`, t("watchStartedNone")]);
});

test("messages about outages give times in Spanish time and explain the effect", () => {
  const sinceMs = Date.UTC(2026, 10, 14, 22, 10);
  const sourceUp = (mayHaveMissed: boolean): AlertNews => ({
    kind: "source-up",
    payload: { sinceMs, untilMs: sinceMs + 5_400_000, mayHaveMissed },
  });
  expect(read([{ kind: "source-down", payload: { sinceMs, reason: "down" } }])[1]).toContain("14 Nov, 23:10");
  expect(read([sourceUp(true)])).toEqual([
    `🏮 ${t("sourceUp")}`,
    t("sourceUpSpan", { from: "14 Nov, 23:10", until: "15 Nov, 00:40" }),
    t("sourceUpMissed"),
  ]);
  expect(read([sourceUp(false)])[2]).toBe(t("sourceUpComplete"));
  const spent = { sinceMs, reason: "quota-spent", untilMs: Date.UTC(2026, 11, 1), isServedByMail: true };
  expect(read([{ kind: "source-down", payload: spent }])).toEqual([
    `🌫 ${t("sourceSpent")}`,
    t("sourceSpentUntil", { date: "1 December" }),
    t("sourceSpentMail"),
  ]);
  expect(read([{ kind: "source-down", payload: { ...spent, isServedByMail: false } }])).toHaveLength(2);
  expect(
    read([
      {
        kind: "source-up",
        payload: { sinceMs, untilMs: sinceMs, mayHaveMissed: true, reason: "quota-spent" },
      },
    ])[0],
  ).toBe(`🏮 ${t("sourceUpSpent")}`);
});

test("a question names one account, and its buttons contain its id", () => {
  const question: AlertNews = { kind: "question", payload: { email: "a***@example.com" } };
  expect(read([question]).join(" ")).toContain("a***@example.com");
  const [answers] = render([question]).buttons;
  expect(
    answers?.map((button) =>
      "callback_data" in button ? parseCallbackData(button.callback_data) : undefined,
    ),
  ).toEqual([
    { act: "yes", userId: USER_ID },
    { act: "no", userId: USER_ID },
  ]);
});

test("DOOR-05 a connected chat is told the account, and its buttons confirm or refuse it", () => {
  const connected: AlertNews = { kind: "connected", payload: { email: "a***@example.com" } };
  expect(read([connected]).join(" ")).toContain("a***@example.com");
  const [answers] = render([connected]).buttons;
  expect(
    answers?.map((button) =>
      "callback_data" in button ? parseCallbackData(button.callback_data) : undefined,
    ),
  ).toEqual([
    { act: "me", userId: USER_ID },
    { act: "not-me", userId: USER_ID },
  ]);
});

test("MAIL-06 the advertiser, an auction and a former price are shown, and a listing on another portal opens there", () => {
  const found: AlertNews = {
    kind: "new",
    payload: { listing: listingOf("7", { isPrivate: true, isAuction: true }), formerPriceEur: 1400 },
  };
  expect(read([found])[2]).toBe(
    "€1,400 → €1,250 · auction · 58 m² · 2 bedrooms · 3rd floor, lift · private owner",
  );
  const words = SPECIFIED_LANGUAGES.map((language) =>
    read([fresh({ isPrivate: false })], language)[2]
      ?.split(" · ")
      .at(-1),
  );
  expect(words).toEqual(["agency", "agencia", "агентство", "Makler", "agence"]);
  expect(read([fresh({ isPrivate: null })])).toEqual(read([fresh()]));
  const url = "https://www.fotocasa.es/es/alquiler/vivienda/madrid-capital/piso/184000111/d";
  const { buttons } = render([fresh({ propertyCode: "fotocasa:184000111", url })]);
  expect(buttons.map((row) => row.map(({ text }) => text))).toEqual([
    ["Open on Fotocasa"],
    [t("hide"), t("keep"), t("mute")],
    ["✉️ Message to the advertiser"],
  ]);
});

const OWN: OwnFacts = {
  distances: [
    { placeId: "a", name: "Work", metres: 2_300, isApproximate: true },
    { placeId: "b", name: "<b>Gym", metres: 340, isApproximate: false, footMinutes: 5, bicycleMinutes: 2 },
  ],
  signs: [
    { kind: "far-below-zone", percent: -41, samples: 84, place: "Trafalgar" },
    { kind: "seasonal", words: "alquiler de temporada" },
  ],
  mark: null,
  note: null,
};

test("FIND-04 FIND-06 distances and warnings add two lines after the usual four", () => {
  const listing = { isPrivate: true, photoCount: 3 };
  const lines = read([{ ...fresh(listing), own: OWN }]);
  expect(lines.slice(0, 4)).toEqual(read([fresh(listing)]));
  expect(lines.slice(4)).toEqual([
    "📍 about 2.3 km to Work · 350 m to <b>Gym (5 min on foot, 2 min by bike)",
    "👀 Double-check: far below its area · seasonal or temporary let (“alquiler de temporada”)",
  ]);
  expect(lines[2]).toContain("private owner");
  expect(
    render([{ ...fresh(listing), own: OWN }])
      .buttons.at(-1)
      ?.map(({ text }) => text),
  ).toEqual(["✉️ Message to the advertiser", "🖼 More photos"]);
  const longest = {
    ...OWN,
    distances: Array.from({ length: 3 }, () => ({ ...OWN.distances[1], name: "x".repeat(40) })),
    signs: Array.from({ length: 8 }, () => ({ kind: "occupied", words: "y".repeat(500) })),
    note: "z".repeat(2_000),
  } as OwnFacts;
  for (const language of LANGUAGES) {
    const short = read([{ ...fresh({ address: "a".repeat(500) }), own: longest }], language, {
      isShort: true,
    });
    expect(short.join("\n").length).toBeLessThan(1_024);
    expect(read([{ ...fresh(), own: longest }], language).join("\n").length).toBeLessThan(1_024);
  }
});

test("FIND-01 a message shows the user's mark and note: kept, hidden as one line, a note below the facts", () => {
  const kept = { ...fresh(), own: { ...OWN, mark: "kept", note: "Call\non Monday" } } as SearchNews;
  expect(read([kept]).at(-1)).toBe("📝 Call on Monday");
  expect(render([kept]).buttons[1]).toEqual([{ text: "✓ Kept · Undo", callback_data: "u:7" }]);
  const hidden = { ...fresh(), own: { ...OWN, mark: "hidden" } } as SearchNews;
  expect(read([hidden])).toEqual(["🙈 Hidden: Flat, Calle de Fuencarral"]);
  expect(render([hidden]).buttons).toEqual([[{ text: "✓ Hidden · Undo", callback_data: "u:7" }]]);
});

test("FIND-04 an alert is rendered even if its optional lines fail", () => {
  const broken = { distances: [null], signs: [{ kind: "unheard-of" }], mark: null, note: null };
  const news = { ...fresh(), own: broken } as unknown as SearchNews;
  expect(read([news])).toEqual(read([fresh()]));
});

test("MAIL-07 a forwarding question shows the code to copy, and links only to Google", () => {
  const question = (link: string | null): AlertNews => ({
    kind: "forwarding-question",
    payload: { code: "123456789", link },
  });
  expect(read([question(null)])).toEqual([
    `✉️ ${t("forwardingQuestion")}`,
    t("forwardingQuestionBody"),
    "123456789",
    t("forwardingQuestionAdvice"),
  ]);
  for (const language of LANGUAGES) {
    expect(render([question(null)], language).html).toContain("\n<code>123456789</code>\n");
  }
  for (const host of ["mail", "mail-settings"]) {
    const url = `https://${host}.google.com/mail/vf-%5BANGjdJ8-x.y~z%5D`;
    expect(render([question(url)]).buttons).toEqual([[{ text: "Confirm at Google", url }]]);
  }
  for (const link of [
    null,
    "https://mail.google.com.evil.example/mail/vf-1",
    "https://mail.google.com@evil.example/mail/vf-1",
    "https://accounts.google.com/mail/vf-1",
    "http://mail.google.com/mail/vf-1",
    "https://mail.google.com/url?q=https://evil.example",
    "javascript:alert(1)",
  ]) {
    expect([link, render([question(link)]).buttons]).toEqual([link, []]);
  }
});

test("DOOR-10 the notice of a deleted account names nobody and has no buttons", () => {
  const notice: AlertNews = { kind: "account-deleted", payload: {} };
  expect(read([notice])).toEqual([`🏮 ${t("accountDeleted")}`, t("accountDeletedBody")]);
  expect(render([notice]).buttons).toEqual([]);
});

test("G29 a summary contains as many news as fit, and says that more follow", () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    fresh({ propertyCode: String(index), address: `calle ${index} ${"👩‍👩‍👧‍👦&<".repeat(50)}` }),
  );
  for (const language of LANGUAGES) {
    const { html, includedCount } = render(many, language);
    expect(html.length).toBeLessThanOrEqual(4096);
    expect(includedCount).toBeGreaterThan(5);
    expect(includedCount).toBeLessThan(60);
    expect(render(many.slice(includedCount), language).includedCount).toBeGreaterThan(5);
  }
  expect(read(many).at(-1)).toBe(t("more"));
  expect(read(many.slice(0, 2))[0]).toBe(`🌙 ${t("summary", { count: 2 })}`);
  expect(read(many.slice(0, 2)).at(-1)).not.toBe(t("more"));
});

test("G29 a caption never comes near its limit, and the short form is shorter", () => {
  const long = fresh({
    address: "é".repeat(5000),
    neighborhood: "ñ".repeat(5000),
    district: "x".repeat(5000),
  });
  for (const language of LANGUAGES) {
    const full = plainOf(render([long], language).html).length;
    expect(full).toBeLessThan(1024);
    expect(plainOf(render([long], language, { isShort: true }).html).length).toBeLessThan(full);
  }
});
