import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FindDetails, FindFilter, FindPage, FindPointLists, FoundHome } from "#core/finds/find.ts";
import { completeCard } from "#core/listing/home-card.ts";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { type Advert, addFinds, IBIZA } from "./added-finds.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  product = await startTestProduct();
  ({ alice, bob } = await signUpCast(product));
});

afterAll(() => product.stop());

beforeEach(async () => {
  await product.database.sql`
    truncate public.searches, public.listings, public.marks, public.market_figures,
      public.find_settings, watch.portal_listings, watch.alerts cascade`;
});

const find = (person: Person, adverts: Advert[], searchIds?: string[]) =>
  addFinds(product, person, adverts, searchIds);

async function pageOf({ client }: Person, filter: FindFilter = {}, more: object = {}): Promise<FindPage> {
  const { data, error } = await client.rpc("my_finds", { filter, ...more });
  expect(error).toBeNull();
  return data as FindPage;
}

const idsOf = async (person: Person, filter?: FindFilter) =>
  (await pageOf(person, filter)).finds.map(({ listingId }) => listingId);

test("FIND-01 each home is one card, newest first, with its state and all of its listings", async () => {
  await product.database.sql`
    insert into public.market_figures values (${IBIZA}, 'Ibiza', 'sale', 'all', 9, 4000, 3500, 4500, null, 0, 0)`;
  await find(alice, [
    { id: "1", hoursAgo: 50, home: "1", goneHoursAgo: 20 },
    { id: "2", hoursAgo: 5, home: "1", price: 240_000, former: 300_000 },
    { id: "3", hoursAgo: 4, goneHoursAgo: 4 - 41 / 60 },
    { id: "4", hoursAgo: 3, isBack: true },
    {
      id: "5",
      hoursAgo: 2,
      card: { pictureUrl: "https://img.example/5.jpg", floor: "3", hasLift: true },
    },
    { id: "6", hoursAgo: 1 },
  ]);
  const { finds, next, count } = await pageOf(alice);
  expect([finds.map(({ listingId }) => listingId), next, count]).toEqual([
    ["6", "5", "4", "3", "2"],
    null,
    5,
  ]);
  expect(finds.at(-1)).toMatchObject({
    homeId: "1",
    advertCount: 2,
    priceEur: 240_000,
    formerPriceEur: 300_000,
    pricePerM2Eur: 4000,
    comparison: { percent: 0, samples: 9, place: "Ibiza" },
    goneAt: null,
    placeId: IBIZA,
    latitude: 40.41,
    operation: "sale",
  } satisfies Partial<FoundHome>);
  const gone = finds.find(({ listingId }) => listingId === "3");
  const stayedMs = new Date(gone?.goneAt ?? 0).getTime() - new Date(gone?.foundAt ?? 0).getTime();
  expect(Math.round(stayedMs / 60_000)).toBe(41);
  expect(finds[1]).toMatchObject({ pictureUrl: "https://img.example/5.jpg", floor: "3", hasLift: true });

  for (const [id, mark] of [
    ["6", "hidden"],
    ["5", "kept"],
  ])
    expect((await alice.client.rpc("mark_find", { listing_id: id, mark })).error).toBeNull();
  expect({
    all: await idsOf(alice),
    new: await idsOf(alice, { state: "new" }),
    kept: await idsOf(alice, { state: "kept" }),
    hidden: await idsOf(alice, { state: "hidden" }),
    cheaper: await idsOf(alice, { state: "cheaper" }),
    gone: await idsOf(alice, { state: "gone" }),
    back: await idsOf(alice, { state: "back" }),
  }).toEqual({
    all: ["5", "4", "3", "2"],
    new: [],
    kept: ["5"],
    hidden: ["6"],
    cheaper: ["2"],
    gone: ["3"],
    back: ["4", "2"],
  });
  expect((await alice.client.rpc("my_find_points", {})).data).toEqual({
    listingId: ["5", "4", "3", "2"],
    latitude: [40.41, 40.41, 40.41, 40.41],
    longitude: [-3.67, -3.67, -3.67, -3.67],
    isAddressShown: [false, false, false, false],
    placeId: [IBIZA, IBIZA, IBIZA, IBIZA],
    priceEur: [300_000, 300_000, 300_000, 240_000],
    mark: ["kept", null, null, null],
    isGone: [false, false, true, false],
  } satisfies FindPointLists);
  expect((await bob.client.rpc("my_find_points", {})).data).toMatchObject({ listingId: [], isGone: [] });
});

test("FIND-01 sorting, filtering and paging return every home once, also while new ones arrive", async () => {
  const { client, id } = alice;
  for (const place of ["getafe", "pinto"]) {
    const search = {
      user_id: id,
      filter_url: `https://www.idealista.com/venta-viviendas/${place}-madrid/`,
      receiver_ids: ["1"],
    };
    const { error } = await client.from("searches").insert(search);
    expect(error).toBeNull();
  }
  const searches = (await client.from("searches").select("id").order("is_first", { ascending: false })).data;
  const [first = "", second = ""] = (searches ?? []).map((search) => search.id as string);
  const adverts = Array.from({ length: 12 }, (_, n) => ({
    id: `${n + 1}`,
    hoursAgo: 20 - n,
    price: 100_000 * ((n * 5) % 12) + 100_000,
    area: 50 + n,
    ...(n % 3 === 0 ? { place: `${IBIZA}-${n}` } : { place: "name:getafe" }),
  }));
  await find(alice, adverts.slice(0, 6), [first]);
  await find(alice, adverts.slice(6), [second]);
  expect(await idsOf(alice, { searchId: second })).toEqual(["12", "11", "10", "9", "8", "7"]);
  expect(await idsOf(alice, { searchId: first })).toEqual(["6", "5", "4", "3", "2", "1"]);
  expect(await idsOf(alice, { zone: IBIZA })).toEqual(["10", "7", "4", "1"]);
  expect(await idsOf(alice, { zone: "0-EU-ES-28-07-001-079-0" })).toEqual([]);
  const cheap = adverts.filter(({ place, price }) => place === "name:getafe" && price >= 3e5 && price <= 6e5);
  expect(await idsOf(alice, { zone: "name:getafe", minPriceEur: 3e5, maxPriceEur: 6e5 })).toEqual(
    cheap.toReversed().map((advert) => advert.id),
  );
  const byPrice = adverts.toSorted((a, b) => a.price - b.price);
  expect(await idsOf(alice, { order: "price" })).toEqual(byPrice.map((advert) => advert.id));
  const byPricePerM2 = adverts.toSorted((a, b) => a.price / a.area - b.price / b.area);
  expect(await idsOf(alice, { order: "price-per-m2" })).toEqual(byPricePerM2.map((advert) => advert.id));

  for (const order of ["newest", "price", "price-per-m2", "cheaper-than-zone"] as const) {
    const met: string[] = [];
    let after: string | null = null;
    do {
      const page: FindPage = await pageOf(alice, { order }, { after, page_size: 5 });
      expect(page.count).toBe(after === null ? 12 : null);
      met.push(...page.finds.map(({ listingId }) => listingId));
      after = page.next;
      if (after) await find(alice, [{ id: `${order}${met.length}`, hoursAgo: 0, price: 1, area: 1000 }]);
    } while (after);
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(expect.arrayContaining(adverts.map((advert) => advert.id)));
    await product.database.sql`delete from public.listings where listing_id ~ ${order}`;
  }
});

test("FIND-01 DEMO-07 rows with only the specified fields, or with invalid values, also give a card", async () => {
  const { sql } = product.database;
  const details = {
    plain: {
      title: "Piso",
      price: "1.449 €",
      size: "27 m²",
      location: "Lavapiés, Madrid",
      link: "https://a.es/1",
      bedrooms: "2",
    },
    bad: {
      title: 7,
      price: { a: 1 },
      size: "1".repeat(5000),
      location: ["x"],
      url: "javascript:alert(1)",
      rooms: -3,
    },
    huge: {
      title: "x".repeat(5000),
      price: 1e300,
      size: -1,
      url: `https://a.es/${"x".repeat(3000)}`,
      rooms: 1e40,
    },
    zero: { price: 0, size: 0, rooms: 2.5, address: null },
    none: {},
  };
  for (const [id, each] of Object.entries(details))
    await sql`insert into public.listings (user_id, listing_id, details) values (${alice.id}, ${id}, ${sql.json(each)})`;
  const { finds } = await pageOf(alice);
  const card = (id: string) => finds.map(completeCard).find(({ listingId }) => listingId === id);
  expect(card("plain")).toMatchObject({
    title: "Piso",
    priceEur: 1449,
    areaM2: 27,
    pricePerM2Eur: 53.7,
    rooms: 2,
    municipality: "Lavapiés, Madrid",
    url: "https://a.es/1",
    operation: null,
    lastSeenAt: null,
    notSeenSince: null,
    goneAt: null,
    advertCount: 1,
    warnings: [],
  } satisfies Partial<FoundHome>);
  expect(card("bad")).toMatchObject({
    title: null,
    priceEur: null,
    areaM2: null,
    rooms: null,
    municipality: null,
    url: "",
  });
  expect(card("huge")).toMatchObject({
    title: "x".repeat(300),
    priceEur: null,
    areaM2: null,
    rooms: null,
    url: "",
  });
  expect(card("zero")).toMatchObject({ priceEur: null, areaM2: null, pricePerM2Eur: null, rooms: null });
  for (const order of ["price", "price-per-m2", "cheaper-than-zone"] as const)
    expect((await pageOf(alice, { order })).count).toBe(5);
  for (const id of Object.keys(details)) {
    const { data, error } = await alice.client.rpc("my_find", { listing_id: id });
    expect([error, (data as FindDetails | null)?.listingId]).toEqual([null, id]);
  }
  const points = (await alice.client.rpc("my_find_points", {})).data as FindPointLists;
  expect(points.listingId).toHaveLength(5);
});

test("CALM-06 a home says since when it was not seen only if it is neither gone nor in a recent check", async () => {
  const { sql } = product.database;
  await find(alice, [
    { id: "seen" },
    { id: "missed" },
    { id: "gone", hoursAgo: 9, goneHoursAgo: 8 },
    { id: "failing", hoursAgo: 9 },
    { id: "slow", hoursAgo: 9 },
    { id: "paused", hoursAgo: 90 },
  ]);
  await sql`update watch.portal_listings set last_seen_at = now() - interval '5 hours'`;
  await sql`update watch.portal_listings set last_seen_at = now() - interval '30 hours' where listing_id = 'paused'`;
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, last_ok_at) values
      ('good', 'official', '{}', 600, now() - interval '9 minutes'),
      ('failing', 'official', '{}', 600, now() - interval '2 hours'),
      ('slow', 'official', '{}', 7200, now() - interval '2 hours')`;
  await sql`
    insert into watch.feed_listings (feed_key, listing_id, rank, price_eur, first_seen_at, missed) values
      ('good', 'seen', 1, 1, now(), 0), ('good', 'missed', 2, 1, now(), 2), ('failing', 'failing', 1, 1, now(), 0),
      ('slow', 'slow', 1, 1, now(), 0)`;
  const hoursAgo = ({ notSeenSince }: FoundHome) =>
    notSeenSince === null ? null : Math.round((Date.now() - Date.parse(notSeenSince)) / 3_600_000);
  const { finds } = await pageOf(alice);
  expect(Object.fromEntries(finds.map((home) => [home.listingId, hoursAgo(home)]))).toEqual({
    seen: null,
    missed: null,
    gone: null,
    failing: 2,
    slow: null,
    paused: 30,
  });
});

test("FIND-01 the first page lists the zones of all the caller's homes, including those on later pages", async () => {
  const getafe = "0-EU-ES-28-07-002-065";
  await find(alice, [
    { id: "1", hoursAgo: 3, card: { neighborhood: "Ibiza", district: "Retiro", municipality: "Madrid" } },
    { id: "2", hoursAgo: 2, place: getafe, card: { municipality: "Getafe" } },
    { id: "3", hoursAgo: 1, place: "name:nowhere" },
  ]);
  await find(bob, [{ id: "4", place: "0-EU-ES-46" }]);
  const first = await pageOf(alice, {}, { page_size: 1 });
  expect(first.zones).toEqual([
    { placeId: IBIZA, neighborhood: "Ibiza", district: "Retiro", municipality: "Madrid" },
    { placeId: getafe, neighborhood: null, district: null, municipality: "Getafe" },
  ]);
  expect((await pageOf(alice, {}, { page_size: 1, after: first.next })).zones).toBeNull();
});
