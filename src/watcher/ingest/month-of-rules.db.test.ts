import { expect, test } from "vitest";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { seeded } from "#test/seeded.ts";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, type Person } from "#test/watching/world.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/";
const DAY_MS = 86_400_000;
const DAYS = 30;
const HOMES_A_DAY = 6;
const story = storyForTests(300);

const TEXTS = [
  "Piso exterior con TERRAZA y vistas al parque.",
  "Interior, sin ascensor. Planta baja, ideal inversión.",
  "Se vende en subasta judicial.",
  "Ático reformado, terrazas amplias.",
  "Venta de la nuda propiedad, con usufructo.",
  "Piso ocupado ilegalmente por terceros.",
] as const;

/** The place of the person with a rule about minutes, in the middle of Retiro. */
const PLACE = { latitude: 40.4153, longitude: -3.6784 };

/** What the model knows of an advert. The rest comes from the alert of a person without rules. */
interface Home {
  readonly text: string;
  readonly title: string;
  readonly isPrivate: boolean;
  readonly warnings: readonly string[];
  readonly percent: number | undefined;
  readonly metres: number;
}

type Says = (home: Home) => boolean;
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
/** In the singular or the plural. */
const saysWord = (word: string) => (home: Home) =>
  new RegExp(`(^|[^a-z0-9])${word}s?([^a-z0-9]|$)`).test(plain(`${home.title}. ${home.text}`));

interface RuleSet {
  readonly rules: readonly Rule[];
  readonly leaveOut: Says;
  readonly silent: Says;
}

/** Ten sets of rules: as saved, and as a person would say them. */
const setsWith = (placeId: string): RuleSet[] => {
  const never = () => false;
  const warned = (kind: string) => (home: Home) => home.warnings.includes(kind);
  return [
    {
      rules: [{ on: "warning", kind: "auction", act: "leave-out" }],
      leaveOut: warned("auction"),
      silent: never,
    },
    {
      rules: [{ on: "advertiser", is: "agency", act: "leave-out" }],
      leaveOut: (h) => !h.isPrivate,
      silent: never,
    },
    {
      rules: [{ on: "advertiser", is: "private", act: "silent" }],
      leaveOut: never,
      silent: (h) => h.isPrivate,
    },
    {
      rules: [{ on: "words", are: "present", words: ["Terraza"], act: "leave-out" }],
      leaveOut: saysWord("terraza"),
      silent: never,
    },
    {
      rules: [{ on: "words", are: "absent", words: ["terraza", "ático"], act: "silent" }],
      leaveOut: never,
      silent: (h) => !saysWord("terraza")(h) && !saysWord("atico")(h),
    },
    {
      rules: [
        { on: "words", are: "present", words: ["planta baja"], act: "silent" },
        { on: "warning", kind: "occupied", act: "leave-out" },
      ],
      leaveOut: warned("occupied"),
      silent: saysWord("planta baja"),
    },
    {
      rules: [{ on: "zone-price", is: "above", percent: 10, act: "leave-out" }],
      leaveOut: (h) => h.percent !== undefined && h.percent >= 10,
      silent: never,
    },
    {
      rules: [
        { on: "zone-price", is: "below", percent: 15, act: "silent" },
        { on: "advertiser", is: "agency", act: "alert" },
      ],
      leaveOut: never,
      silent: (h) => h.percent !== undefined && h.percent <= -15,
    },
    {
      rules: [{ on: "minutes", placeId, by: "foot", over: 10, act: "leave-out" }],
      leaveOut: (h) => Math.floor(Math.max(0, h.metres) / 90) > 10,
      silent: never,
    },
    {
      rules: [
        { on: "warning", kind: "bare-ownership", act: "silent" },
        { on: "advertiser", is: "agency", act: "silent" },
        { on: "words", are: "present", words: ["subasta", "okupa"], act: "leave-out" },
      ],
      leaveOut: saysWord("subasta"),
      silent: (h) => warned("bare-ownership")(h) || !h.isPrivate,
    },
  ];
};

test("RULE-02 RULE-03 over a month ten sets of rules alert, silence and leave out what an independent model does, and nothing is lost", {
  tags: "long",
  timeout: 240_000,
}, async () => {
  const people = await addPeople(
    story.sql,
    Array.from({ length: 11 }, () => ({ url: RETIRO })),
  );
  const [calm, ...ruled] = people as [Person, ...Person[]];
  const sets = await saveSets(ruled);
  const { live, asked } = await liveThroughAMonth(calm);
  expect([...asked.keys()].toSorted()).toEqual(live.toSorted());

  const effects = [];
  for (const [n, person] of ruled.entries()) {
    const seen = await outcomeOf(person);
    expect({ n, ...seen }).toEqual({ n, ...expectedBy(sets[n] as RuleSet, asked) });
    expect(seen.loud.length + seen.silent.length + seen.leftOut.length).toBe(live.length);
    effects.push(seen);
  }
  // Every set did something, and some home passed only after a price cut.
  expect(effects.every(({ silent, leftOut }) => silent.length + leftOut.length > 0)).toBe(true);
  const passedLater = [...asked.values()].filter(([first, ...later]) => {
    const leaveOut = sets[6]?.leaveOut ?? (() => false);
    return first !== undefined && leaveOut(first) && later.some((home) => !leaveOut(home));
  });
  expect(passedLater.length).toBeGreaterThan(0);
});

async function saveSets(ruled: readonly Person[]): Promise<RuleSet[]> {
  const [place] = await story.sql`
    insert into public.own_places (user_id, name, latitude, longitude)
    values (${ruled[8]?.userId ?? ""}, 'Work', ${PLACE.latitude}, ${PLACE.longitude}) returning id`;
  const sets = setsWith(String(place?.id));
  for (const [n, { rules }] of sets.entries()) {
    await story.sql`
      update public.searches set rules = ${story.sql.json(rules as never)} where id = ${ruled[n]?.filterId ?? ""}`;
  }
  return sets;
}

/** Publishes homes and cuts prices every day. Returns the codes, and each home as it was when it was found and cut. */
async function liveThroughAMonth(calm: Person): Promise<{ live: string[]; asked: Map<string, Home[]> }> {
  const random = seeded(30);
  const byUrl = story.rounds({ only: "by-url" });
  await story.round(byUrl);
  const asked = new Map<string, Home[]>();
  const live: string[] = [];
  let seenAlerts = 0;
  for (let day = 0; day < DAYS; day += 1) {
    for (let n = 0; n < HOMES_A_DAY; n += 1) {
      const text = TEXTS[Math.floor(random() * TEXTS.length)] ?? TEXTS[0];
      live.push(
        story.publish(RETIRO, { description: text, privateAdvertiser: random() < 0.4, photoCount: 5 }),
      );
    }
    for (const code of live.filter(() => random() < 0.05)) {
      const advert = story.advert(code);
      story.portal.market.changePrice(advert, Math.round(advert.priceEur * (0.7 + random() * 0.2)));
    }
    await story.round(byUrl);
    const alerts = (await alertsOf(story.sql, ["new", "price-drop"])).filter(
      ({ userId }) => userId === calm.userId,
    );
    for (const { listingId, payload } of alerts.slice(seenAlerts)) {
      const code = listingId ?? "";
      asked.set(code, [...(asked.get(code) ?? []), homeOf(code, payload)]);
    }
    seenAlerts = alerts.length;
    story.clock.advance(DAY_MS - 630_000);
  }
  return { live, asked };
}

/** What a person would expect of the rules. */
function expectedBy({ leaveOut, silent }: RuleSet, asked: ReadonlyMap<string, readonly Home[]>) {
  const expected = { loud: [] as string[], silent: [] as string[], leftOut: [] as string[] };
  for (const [code, events] of asked) {
    const passing = events.find((home) => !leaveOut(home));
    if (passing === undefined) expected.leftOut.push(code);
    else if (silent(passing)) expected.silent.push(code);
    else expected.loud.push(code);
  }
  return {
    loud: expected.loud.toSorted(),
    silent: expected.silent.toSorted(),
    leftOut: expected.leftOut.toSorted(),
  };
}

async function outcomeOf({ userId, filterId }: Person) {
  const alerts = await story.sql<{ code: string; isSilent: boolean }[]>`
    select listing_id as code, is_silent as "isSilent" from watch.alerts
    where user_id = ${userId} and kind = 'new' order by listing_id`;
  const leftOut = await story.sql<{ code: string }[]>`
    select listing_id as code from public.left_outs
    where user_id = ${userId} and search_id = ${filterId} and returned_at is null
      and not exists (
        select from public.listings
        where listings.user_id = left_outs.user_id and listings.listing_id = left_outs.listing_id
          and listings.search_ids <> '{}'
      )
    order by listing_id`;
  const codes = (rows: readonly { code: string }[]) => rows.map(({ code }) => code).toSorted();
  return {
    loud: codes(alerts.filter(({ isSilent }) => !isSilent)),
    silent: codes(alerts.filter(({ isSilent }) => isSilent)),
    leftOut: codes(leftOut),
  };
}

function homeOf(code: string, payload: Record<string, unknown>): Home {
  const advert = story.advert(code);
  const listing = payload.listing as {
    title: string | null;
    warnings: { kind: string }[];
    comparison: { percent: number } | null;
  };
  const [north, east] = [
    (advert.shownLatitude - PLACE.latitude) * 111_195,
    (advert.shownLongitude - PLACE.longitude) * 111_195 * Math.cos((PLACE.latitude * Math.PI) / 180),
  ];
  return {
    text: advert.description ?? "",
    title: listing.title ?? "",
    isPrivate: advert.privateAdvertiser === true,
    warnings: listing.warnings.map(({ kind }) => kind),
    percent: listing.comparison?.percent,
    metres: Math.hypot(north, east) - (advert.isAddressShown ? 0 : 230),
  };
}
