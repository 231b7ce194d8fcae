import { expect, test } from "vitest";
import type { AlertListing, AlertNews } from "#core/alert/alert.ts";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { render, renderedLines } from "#test/delivery/rendered-news.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { comparisonWords } from "#text/home-words.ts";
import { translatorOf, wordsOf } from "#text/translator.ts";
import { parseCallbackData } from "../../callback-data.ts";
import { plainOf } from "../../html.ts";
import type { OwnFacts, SearchNews } from "../channel.ts";

const texts = translatorOf("alert");
const t = texts("en");
const home = wordsOf("home", "en").t;
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
    const [title, home, line, perM2, ...more] = renderedLines([fresh()], language);
    expect(title).toBe(plain(`🏮 ${wordsOf("home", language).t("alerts.new.titleIn", { place })}`));
    expect(home?.toLowerCase()).toContain(", calle de fuencarral");
    expect(line?.startsWith(facts[language][0])).toBe(true);
    const comparison = comparisonWords(
      { percent: -9, samples: 84, place: "Trafalgar" },
      wordsOf("home", language),
    );
    expect(perM2).toBe(`${facts[language][1]}, ${plain(comparison)}`);
    expect(more).toEqual([]);
  }
  expect(renderedLines([fresh()]).slice(1)).toEqual([
    "Flat, Calle de Fuencarral",
    "€1,250 · 58 m² · 2 bedrooms · 3rd floor, lift",
    "€21.6/m², 9% below the median in Trafalgar (84 homes seen)",
  ]);
});

test("BOT-02 the title and the price show what changed", () => {
  const place = "Trafalgar, Chamberí";
  const listing = listingOf("7", { priceEur: 1150, pricePerM2Eur: null });
  const told: AlertNews[] = [
    { kind: "price-drop", payload: { listing, formerPriceEur: 1250, dropPercent: 8 } },
    { kind: "new", payload: { listing, formerListingId: "6", formerPriceEur: 1300 } },
    { kind: "new", payload: { listing, formerListingId: "6", formerPriceEur: 1150 } },
    { kind: "back", payload: { listing } },
    { kind: "gone", payload: { listing } },
  ];
  expect(
    told.map((news) => renderedLines([news])).map(([title, , price]) => [title, price?.split(" · ")[0]]),
  ).toEqual([
    [`📉 ${home(`alerts.price-drop.titleIn`, { place })}`, "€1,250 → €1,150 (−8%)"],
    [`♻️ ${home(`alerts.readvertised.titleIn`, { place })}`, "€1,300 → €1,150"],
    [`♻️ ${home(`alerts.readvertised.titleIn`, { place })}`, "€1,150"],
    [`🔄 ${home(`alerts.back.titleIn`, { place })}`, "€1,150"],
    [`🚪 ${home(`alerts.gone.titleIn`, { place })}`, "€1,150"],
  ]);
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
  expect(renderedLines([bare])).toEqual([`🏮 ${home("alerts.new.title")}`, "Home", "€1,250"]);
  const scarce = fresh({ comparison: null, neighborhood: "Chamberí", floor: "bj", hasLift: false, rooms: 0 });
  expect(renderedLines([scarce])).toEqual([
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
  const said = (language: Language) =>
    floors.map((news) => renderedLines([news], language)[2]?.split(" · ")[3]);
  expect(said("en")).toEqual([
    ...["1st floor", "2nd floor", "3rd floor", "11th floor", "22nd floor"],
    ...["mezzanine", "lower ground floor", "basement", "basement", undefined],
  ]);
  expect(said("fr").slice(0, 2)).toEqual(["1er étage", "2e étage"]);
});

test("a listing has its buttons, without those that Telegram would refuse", () => {
  const [open, acts] = render([fresh()]).buttons;
  expect(open).toEqual([{ text: "Open on Idealista", url: "https://www.idealista.com/en/inmueble/7/" }]);
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

test("MAIL-06 the advertiser, an auction and a former price are shown, and a listing on another portal opens there", () => {
  const found: AlertNews = {
    kind: "new",
    payload: { listing: listingOf("7", { isPrivate: true, isAuction: true }), formerPriceEur: 1400 },
  };
  expect(renderedLines([found])[2]).toBe(
    "€1,400 → €1,250 · auction · 58 m² · 2 bedrooms · 3rd floor, lift · private owner",
  );
  const words = SPECIFIED_LANGUAGES.map((language) =>
    renderedLines([fresh({ isPrivate: false })], language)[2]
      ?.split(" · ")
      .at(-1),
  );
  expect(words).toEqual(["agency", "agencia", "агентство", "Makler", "agence"]);
  expect(renderedLines([fresh({ isPrivate: null })])).toEqual(renderedLines([fresh()]));
  const url = "https://www.fotocasa.es/es/alquiler/vivienda/madrid-capital/piso/184000111/d";
  const { buttons } = render([fresh({ propertyCode: "fotocasa:184000111", url })]);
  expect(buttons.map((row) => row.map(({ text }) => text))).toEqual([
    ["Open on Fotocasa"],
    [t("hide"), t("keep"), t("mute")],
    ["✉️ Message"],
  ]);
});

const OWN: OwnFacts = {
  distances: [
    { placeId: "a", name: "Work", metres: 2_300, isApproximate: true },
    { placeId: "b", name: "<b>Gym", metres: 340, isApproximate: false, footMinutes: 5, bicycleMinutes: 2 },
  ],
  warnings: [
    { kind: "far-below-zone", percent: -41, samples: 84, place: "Trafalgar" },
    { kind: "seasonal", words: "alquiler de temporada" },
  ],
  mark: null,
  note: null,
};

test("FIND-04 FIND-06 distances and warnings add two lines after the usual four", () => {
  const listing = { isPrivate: true, photoCount: 3 };
  const lines = renderedLines([{ ...fresh(listing), own: OWN }]);
  expect(lines.slice(0, 4)).toEqual(renderedLines([fresh(listing)]));
  expect(lines.slice(4)).toEqual([
    "📍 about 2.3 km to Work · 350 m to <b>Gym (5 min on foot, 2 min by bike)",
    "👀 Double-check: price far below the area · seasonal or temporary let (“alquiler de temporada”)",
  ]);
  expect(lines[2]).toContain("private owner");
  expect(
    render([{ ...fresh(listing), own: OWN }])
      .buttons.at(-1)
      ?.map(({ text }) => text),
  ).toEqual(["✉️ Message", "🖼 More photos"]);
  const longest = {
    ...OWN,
    distances: Array.from({ length: 3 }, () => ({ ...OWN.distances[1], name: "x".repeat(40) })),
    warnings: Array.from({ length: 8 }, () => ({ kind: "occupied", words: "y".repeat(500) })),
    note: "z".repeat(2_000),
  } as OwnFacts;
  for (const language of LANGUAGES) {
    const short = renderedLines([{ ...fresh({ address: "a".repeat(500) }), own: longest }], language, {
      isShort: true,
    });
    expect(short.join("\n").length).toBeLessThan(1_024);
    expect(renderedLines([{ ...fresh(), own: longest }], language).join("\n").length).toBeLessThan(1_024);
  }
});

test("FIND-01 a message shows the user's mark and note: kept, hidden as one line, a note below the facts", () => {
  const kept = { ...fresh(), own: { ...OWN, mark: "kept", note: "Call\non Monday" } } as SearchNews;
  expect(renderedLines([kept]).at(-1)).toBe("📝 Call on Monday");
  expect(render([kept]).buttons[1]).toEqual([{ text: "✓ Kept · Undo", callback_data: "u:7" }]);
  const hidden = { ...fresh(), own: { ...OWN, mark: "hidden" } } as SearchNews;
  expect(renderedLines([hidden])).toEqual(["🙈 Hidden: Flat, Calle de Fuencarral"]);
  const undo = { text: "✓ Hidden · Undo", callback_data: "u:7" };
  expect(render([hidden]).buttons).toEqual([[undo]]);
  const agency = { ...fresh({ isPrivate: false }), own: { ...OWN, mark: "hidden" } } as SearchNews;
  const less = { text: "Fewer like this", callback_data: "E:7" };
  expect(render([agency]).buttons).toEqual([[undo], [less]]);
});

test("FIND-04 an alert is rendered even if its optional lines fail", () => {
  const broken = { distances: [null], warnings: [{ kind: "unheard-of" }], mark: null, note: null };
  const news = { ...fresh(), own: broken } as unknown as SearchNews;
  expect(renderedLines([news])).toEqual(renderedLines([fresh()]));
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
  expect(renderedLines(many).at(-1)).toBe(t("more"));
  expect(renderedLines(many.slice(0, 2))[0]).toBe(`🌙 ${t("summary", { count: 2 })}`);
  expect(renderedLines(many.slice(0, 2)).at(-1)).not.toBe(t("more"));
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
