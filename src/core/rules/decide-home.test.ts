import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleListing } from "#test/fixtures/listing.ts";
import { drawn } from "#test/seeded.ts";
import { alertListingOf } from "../alert/alert-listing.ts";
import { WARNING_KINDS } from "../warnings/warning.ts";
import { wordingOf } from "../warnings/wording.ts";
import { askAbout, decideHome, type OwnWays, prepareRules } from "./decide-home.ts";
import { pastEffect } from "./past-homes.ts";
import { type RuledListing, type RuleFacts, ruleFactsOf } from "./rule-facts.ts";
import { RULE_ACTS, type Rule, type RuleSubject } from "./rule-kinds.ts";
import { wordsIn } from "./words-in.ts";

const PLACE = { id: "00000000-0000-4000-8000-000000000001", latitude: 40.4168, longitude: -3.7038 };
const UNKNOWN: RuleFacts = {
  warnings: [],
  isPrivate: null,
  title: null,
  words: null,
  percentOfZone: null,
  latitude: null,
  longitude: null,
  isAddressShown: false,
};
const applies = (subject: RuleSubject, facts: Partial<RuleFacts>, ways?: OwnWays) =>
  decideHome(prepareRules([{ ...subject, act: "silent" }]), { ...UNKNOWN, ...facts }, ways && (() => ways))
    .act === "silent";

test("RULE-02 leave out beats silent beats alert, whatever their order", () => {
  const facts = { ...UNKNOWN, warnings: ["auction"], isPrivate: false, percentOfZone: 25 } as const;
  const subjects: RuleSubject[] = [
    { on: "warning", kind: "auction" },
    { on: "advertiser", is: "agency" },
    { on: "zone-price", is: "above", percent: 20 },
  ];
  fc.assert(
    fc.property(
      fc.tuple(...subjects.map(() => fc.constantFrom(...RULE_ACTS))),
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      (acts, order) => {
        const rules = order.map((n) => ({ ...subjects[n], act: acts[n] }) as Rule);
        const { act, rule } = decideHome(prepareRules(rules), facts);
        const strongest = RULE_ACTS.findLast((one) => acts.includes(one));
        expect(act).toBe(strongest);
        expect(rule?.act ?? "alert").toBe(strongest);
      },
    ),
    drawn(),
  );
});

test("RULE-03 a rule that lacks its fact leaves nothing out", () => {
  const all: RuleSubject[] = [
    ...WARNING_KINDS.map((kind) => ({ on: "warning", kind }) as const),
    { on: "advertiser", is: "agency" },
    { on: "advertiser", is: "private" },
    { on: "words", are: "present", words: ["terraza"] },
    { on: "words", are: "absent", words: ["terraza"] },
    { on: "zone-price", is: "above", percent: 1 },
    { on: "zone-price", is: "below", percent: 1 },
    { on: "minutes", placeId: PLACE.id, by: "foot", over: 1 },
  ];
  for (const subject of all) expect(applies(subject, {}, { places: [PLACE], travelTimes: [] })).toBe(false);
  // A place that was deleted.
  const here = { latitude: 41, longitude: -3.7 };
  expect(applies({ on: "minutes", placeId: PLACE.id, by: "foot", over: 1 }, here)).toBe(false);
});

test("RULE-02 words are found whole, without case and accents, in title and description", () => {
  const facts = {
    title: "Ático en Chamberí",
    words: wordsIn("Sin ASCENSOR; planta  baja. Niño: 1ªplanta l'Eixample"),
  };
  const has = (...words: string[]) => applies({ on: "words", are: "present", words }, facts);
  expect(
    ["atico", "ÁTICO", "chamberi", "planta baja", "sin ascensor", "NINO", "eixample"].map((w) => has(w)),
  ).toEqual(Array(7).fill(true));
  expect(["ascen", "cham", "baja nino x", "planto", "atico en chamberi sin"].map((w) => has(w))).toEqual(
    Array(5).fill(false),
  );
  expect(has("garaje", "ascensor")).toBe(true);
  const lacks = (...words: string[]) => applies({ on: "words", are: "absent", words }, facts);
  expect([lacks("garaje"), lacks("garaje", "atico"), lacks("terraza", "piscina")]).toEqual([
    true,
    false,
    true,
  ]);
});

test("LAST-07 rule words match their inflections, also of several words, and never across title and description", () => {
  const facts = {
    title: "Piso con terracita",
    words: wordsIn("Se admiten mascotas. Dos habitaciones, plantas bajas, sin okupas"),
  };
  const has = (word: string) => applies({ on: "words", are: "present", words: [word] }, facts);
  expect(["mascota", "okupa", "habitación", "planta baja", "terraza", "pisos"].map(has)).toEqual(
    Array(6).fill(true),
  );
  expect(["okupas piso", "mascar", "casa"].map(has)).toEqual(Array(3).fill(false));
});

test("LAST-07 a word beyond the stored text does not count as absent", () => {
  const lacks = (description: string) => {
    const { words = null } = wordingOf(sampleListing({ title: "Piso", description }));
    return applies({ on: "words", are: "absent", words: ["ascensor"] }, { title: "Piso", words });
  };
  const long = "Piso luminoso y tranquilo. ".repeat(170);
  expect(lacks("Piso luminoso")).toBe(true);
  expect(lacks(`${long} Tiene ascensor.`)).toBe(false);
  expect(lacks(`${long}${"Piso luminoso. ".repeat(500)} Tiene ascensor.`)).toBe(false);
  expect(
    applies({ on: "words", are: "absent", words: ["ascensor"] }, { words: ` ${"piso ".repeat(795)}` }),
  ).toBe(false);
});

test("RULE-02 the words of a description are read from the advert and kept without it", () => {
  const listing = sampleListing({ title: "Piso", description: "Exterior, con TERRAZA y trastero." });
  const { words = null } = wordingOf(listing);
  const facts = ruleFactsOf(alertListingOf(listing, undefined), words);
  const rules = prepareRules([{ on: "words", are: "present", words: ["terraza"], act: "leave-out" }]);
  expect(decideHome(rules, facts).act).toBe("leave-out");
  expect(
    wordingOf(sampleListing({ description: "palabra ".repeat(2_000) })).words?.length,
  ).toBeLessThanOrEqual(4_001);
});

test("RULE-02 the price per m² is compared with the zone, at the limit too", () => {
  const above = { on: "zone-price", is: "above", percent: 20 } as const;
  const below = { on: "zone-price", is: "below", percent: 20 } as const;
  expect([19, 20, 21, -20].map((percentOfZone) => applies(above, { percentOfZone }))).toEqual([
    ...[false, true, true, false],
  ]);
  expect([-19, -20, 20].map((percentOfZone) => applies(below, { percentOfZone }))).toEqual([
    false,
    true,
    false,
  ]);
});

test("RULE-03 minutes come from the routing server; without it the straight line must already take longer", () => {
  const rule = { on: "minutes", placeId: PLACE.id, by: "foot", over: 30 } as const;
  // 2,224 metres north.
  const home = { latitude: PLACE.latitude + 0.02, longitude: PLACE.longitude, isAddressShown: true };
  const ways = (footMinutes: number | null): OwnWays => ({
    places: [PLACE],
    travelTimes: [{ placeId: PLACE.id, footMinutes, bicycleMinutes: 1 }],
  });
  expect([ways(31), ways(30), ways(null)].map((way) => applies(rule, home, way))).toEqual([
    true,
    false,
    false,
  ]);
  expect(applies({ ...rule, over: 23 }, home, ways(null))).toBe(true);
  expect(applies({ ...rule, over: 24 }, home, ways(null))).toBe(false);
  // The portal may have moved the point by 230 metres.
  expect(applies({ ...rule, over: 23 }, { ...home, isAddressShown: false }, ways(null))).toBe(false);
});

test("RULE-02 the effect on past homes is counted", () => {
  const past = (card: RuledListing) => ({
    card: { title: "Ático", ...card },
    ...{ words: null, travelTimes: [] },
  });
  const homes = [
    past({}),
    past({ isPrivate: false }),
    past({ isPrivate: false, warnings: [{ kind: "auction", words: "x" }] }),
    past({ title: "Piso" }),
  ];
  const rules: Rule[] = [
    { on: "words", are: "present", words: ["atico"], act: "silent" },
    { on: "advertiser", is: "agency", act: "leave-out" },
  ];
  expect(pastEffect(rules, homes, [])).toEqual({ homes: 4, silent: 1, leftOut: 2 });
});

test("RULE-03 equal rules about minutes are asked for each person, whose places differ", () => {
  const rules = prepareRules([
    { on: "minutes", placeId: PLACE.id, by: "foot", over: 30, act: "leave-out" },
    { on: "advertiser", is: "agency", act: "silent" },
  ]);
  const ask = askAbout({
    ...UNKNOWN,
    latitude: PLACE.latitude,
    longitude: PLACE.longitude,
    isPrivate: false,
  });
  const ways = (footMinutes: number) => () => ({
    places: [PLACE],
    travelTimes: [{ placeId: PLACE.id, footMinutes, bicycleMinutes: null }],
  });
  const acts = [ways(90), ways(5), ways(90), undefined].map((way) => ask(rules, way).act);
  expect(acts).toEqual(["leave-out", "silent", "leave-out", "silent"]);
});

test("RULE-02 rules that several searches share are asked about each home separately", () => {
  const rules = prepareRules([{ on: "advertiser", is: "agency", act: "leave-out" }]);
  expect(prepareRules([{ on: "advertiser", is: "agency", act: "leave-out" }])[0]).toBe(rules[0]);
  const [one, other] = [
    askAbout({ ...UNKNOWN, isPrivate: false }),
    askAbout({ ...UNKNOWN, isPrivate: true }),
  ];
  expect([one(rules).act, other(rules).act, one(rules).act]).toEqual(["leave-out", "alert", "leave-out"]);
});
