import { expect, test } from "vitest";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople } from "#test/watching/world.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/";
/** Another feed, because only the portal can filter by a terrace. */
const TERRACE = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-terraza/";
const story = storyForTests(1_000);

async function addSearch(userId: string, url: string, chatIds: readonly string[]): Promise<string> {
  const [row] = await story.sql`
    insert into public.searches (user_id, filter_url, receiver_ids)
    values (${userId}, ${url}, array(select jsonb_array_elements_text(${story.sql.json([...chatIds])}))) returning id`;
  return String(row?.id);
}

const findsOf = async (code: string) =>
  (
    await story.sql`
      select chat_id::text as chat, to_jsonb(search_ids) as ids from watch.alerts
      where listing_id = ${code} and kind = 'new' order by chat_id`
  ).map(({ chat, ids }) => [chat, [...ids].sort()]);

test("MANY-02 a listing that matches two searches is one alert per chat, for the searches that name the chat", async () => {
  const [ana] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["71", "72"] }]);
  if (!ana) throw new Error("nobody was added");
  const second = await addSearch(ana.userId, RETIRO.replace("900000", "950000"), ["72"]);
  await story.round();
  const started = await story.sql`
    select chat_id::int as chat, search_ids from watch.alerts where kind = 'watch-started' order by 1, 2`;
  expect(started.map(({ chat }) => chat)).toEqual([71, 72, 72]);
  const code = story.publish(RETIRO, { priceEur: 800_000 });
  await story.round();
  const both = [ana.filterId, second].sort();
  expect(await findsOf(code)).toEqual([
    ["71", [ana.filterId]],
    ["72", both],
  ]);
  const [row] =
    await story.sql`select to_jsonb(search_ids) as ids from public.listings where listing_id = ${code}`;
  expect([...(row?.ids ?? [])].sort()).toEqual(both);
});

test("MANY-02 two feeds that find a listing at the same time write one alert for both searches", async () => {
  const [ana] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["71"] }]);
  if (!ana) throw new Error("nobody was added");
  const second = await addSearch(ana.userId, TERRACE, ["71"]);
  await story.round();
  const codes = Array.from({ length: 5 }, () => story.publish(TERRACE, { priceEur: 800_000 }));
  const [one, other] = [story.rounds(), story.rounds()];
  const keys = await one.findDue(100);
  expect(keys.length).toBeGreaterThan(1);
  const { signal } = new AbortController();
  await Promise.all(keys.map((key, n) => (n % 2 ? one : other).check(key, signal)));
  for (const code of codes) {
    expect(await findsOf(code)).toEqual([["71", [ana.filterId, second].sort()]]);
  }
});

test.each([
  ["the feed of the other search", RETIRO.replace("900000", "780000")],
  ["a feed of its own", TERRACE.replace("con-terraza", "con-precio-hasta_780000,terraza")],
])(
  "MANY-02 COVER-08 a home that a cut lets fit a second search is one alert in a chat that knows it from a summary, read by %s",
  async (_, url) => {
    const code = story.publish(TERRACE, { priceEur: 800_000 });
    const [ana] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["71"] }]);
    if (!ana) throw new Error("nobody was added");
    await story.round();
    const second = await addSearch(ana.userId, url, ["71"]);
    await story.round();
    await story.sql`insert into watch.told (user_id, listing_id, search_ids, price_eur, told_at)
    values (${ana.userId}, ${code}, array[${ana.filterId}]::uuid[], 800000, now()) on conflict do nothing`;
    story.portal.market.changePrice(story.advert(code), 760_000);
    const [first] = await story.sql`
      select feed_key as feed from watch.compiled_searches where filter_id = ${ana.filterId}`;
    await story.rounds().check(String(first?.feed), new AbortController().signal);
    await story.round();
    await story.round();
    const alerts = await story.sql`
    select kind, to_jsonb(search_ids) as ids from watch.alerts where listing_id = ${code} order by position`;
    expect(alerts.map(({ kind, ids }) => [kind, [...ids].sort()])).toEqual([
      ["price-drop", [ana.filterId, second].sort()],
    ]);
  },
);

test("MANY-02 COVER-08 a home whose cut never reached the chat is new there for a second search", async () => {
  const code = story.publish(TERRACE, { priceEur: 800_000 });
  const [ana] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["71"] }]);
  if (!ana) throw new Error("nobody was added");
  await story.round();
  const url = TERRACE.replace("con-terraza", "con-precio-hasta_780000,terraza");
  const second = await addSearch(ana.userId, url, ["71"]);
  await story.round();
  story.portal.market.changePrice(story.advert(code), 760_000);
  const [first] = await story.sql`
    select feed_key as feed from watch.compiled_searches where filter_id = ${ana.filterId}`;
  await story.rounds().check(String(first?.feed), new AbortController().signal);
  await story.sql`update watch.alerts set state = 'expired' where listing_id = ${code} and kind = 'price-drop'`;
  await story.round();
  const alerts = await story.sql`
    select kind, state, to_jsonb(search_ids) as ids from watch.alerts where listing_id = ${code} order by position`;
  expect(alerts.map(({ kind, state, ids }) => [kind, state, ids])).toEqual([
    ["price-drop", "expired", [ana.filterId]],
    ["new", "pending", [second]],
  ]);
});

test("MANY-03 changes of a watched advert are announced once in the chat that asked for it, by whichever feed sees them", async () => {
  const [ana] = await addPeople(story.sql, [
    { url: "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/", chatIds: ["71", "72"] },
    { url: RETIRO },
    { url: TERRACE },
  ]);
  if (!ana) throw new Error("nobody was added");
  await story.round();
  const code = story.publish(TERRACE, { priceEur: 800_000 });
  await story.round();
  await story.sql`
    insert into public.marks (user_id, listing_id, mark, chat_id) values (${ana.userId}, ${code}, 'kept', 72)`;
  // A watched advert does not depend on searches.
  await story.sql`update public.filter_settings set is_paused = true where user_id = ${ana.userId}`;
  const told = async () =>
    (
      await story.sql`
        select chat_id::int as chat, kind, to_jsonb(search_ids) as ids from watch.alerts
        where user_id = ${ana.userId} and listing_id = ${code} order by position`
    ).map(({ chat, kind, ids }) => [chat, kind, ids]);
  story.portal.market.changePrice(story.advert(code), 760_000);
  for (let i = 0; i < 2; i++) await story.round();
  expect(await told()).toEqual([[72, "price-drop", []]]);
  story.portal.market.withdraw(story.advert(code));
  for (let i = 0; i < 6; i++) await story.round();
  expect((await told()).slice(1)).toEqual([[72, "gone", []]]);
});
