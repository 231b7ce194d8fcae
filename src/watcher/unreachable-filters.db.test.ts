import { expect, test } from "vitest";
import { listenFor } from "#platform/database/listen-for.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com";
const RETIRO = `${SITE}/venta-viviendas/madrid/retiro/`;
const KINDS = "viviendas oficinas locales garajes".split(" ");
const WISHES = ["", "con-terraza/", "con-piscina/"];
/** Each is a feed of its own: no two of them can share a request. */
const FAR_APART = KINDS.flatMap((kind) =>
  ["venta", "alquiler"].flatMap((operation) =>
    (kind === "viviendas" ? WISHES : [""]).flatMap((wish) =>
      ["barcelona-barcelona", "valencia-valencia"].map(
        (place) => `${SITE}/${operation}-${kind}/${place}/${wish}`,
      ),
    ),
  ),
);
const story = storyForTests(3_000);

const intervals = async () =>
  (await story.sql`select distinct interval_seconds from watch.feeds where idle_since is null`).map(
    (row) => row.interval_seconds,
  );

const setChats = (userId: string | undefined, state: string) =>
  story.sql`update public.chats set state = ${state} where user_id = ${userId ?? ""}`;

const watchStartedOf = async (userId: string | undefined) =>
  (await alertsOf(story.sql, ["watch-started"])).filter((alert) => alert.userId === userId);

test("DOOR-03 filters without a reachable chat cost no requests and delay nobody", async () => {
  const rounds = story.rounds({ monthlyRequests: 12_000 });
  await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(rounds);
  expect(await intervals()).toEqual([600]);
  await addPeople(
    story.sql,
    FAR_APART.map((url) => ({ url, isUnreachable: true })),
  );
  story.portal.ledger.clear();
  await story.round(rounds);
  expect(story.portal.ledger.count("search")).toBe(1);
  expect(await intervals()).toEqual([600]);
  // They do not widen others' feeds either.
  await addPeople(
    story.sql,
    ["centro", "chamberi", "salamanca"].map((district) => ({
      url: `${SITE}/venta-viviendas/madrid/${district}/`,
      isUnreachable: true,
    })),
  );
  await story.round(rounds);
  expect(await story.sql`select key from watch.feeds where idle_since is null`).toHaveLength(1);
});

test("DOOR-03 a filter without a reachable chat is matched on existing feeds, and on later ones", async () => {
  const [unheard] = await addPeople(story.sql, [
    { url: `${RETIRO}con-precio-hasta_900000/`, isUnreachable: true },
  ]);
  expect(await story.round()).toEqual([]);
  await addPeople(story.sql, [{ url: `${SITE}/venta-viviendas/madrid-madrid/` }]);
  await story.round();
  await story.round();
  const code = story.publish(`${RETIRO}con-precio-hasta_900000/`);
  await story.round();
  const rows = await story.sql`
    select listing_id from public.listings where user_id = ${unheard?.userId ?? ""} and listing_id = ${code}`;
  expect(rows).toHaveLength(1);
  expect((await alertsOf(story.sql)).filter(({ userId }) => userId === unheard?.userId)).toMatchObject([
    { kind: "question" },
  ]);
});

test("DOOR-03 WATCH-01 WATCH-04 the first connected chat starts the first check, with the three newest at most", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO, isUnreachable: true }]);
  const rounds = story.rounds();
  expect(await runDue(rounds)).toEqual([]);
  await setChats(person?.userId, "connected");
  expect(await runDue(rounds)).toMatchObject([{ outcome: "checked" }]);
  const started = await watchStartedOf(person?.userId);
  expect(started).toHaveLength(1);
  expect(started[0]?.payload.newest).toHaveLength(3);
});

test("DOOR-03 a filter whose chats are all blocked costs nothing, and resumes silently when one is reachable again", async () => {
  const rounds = story.rounds();
  const [person] = await addPeople(story.sql, [{ url: RETIRO, chatIds: ["71", "72"] }]);
  await story.round(rounds);
  await story.sql`update public.chats set state = 'blocked' where chat_id = 71`;
  expect(await story.round(rounds)).toHaveLength(1);
  await setChats(person?.userId, "unreachable");
  expect(await story.round(rounds)).toEqual([]);
  const missed = Array.from({ length: 30 }, () => story.publish(RETIRO));
  story.clock.advance(5 * 86_400_000);
  expect(await story.round(rounds)).toEqual([]);
  await story.sql`update public.chats set state = 'connected' where chat_id = 72`;
  expect(await runDue(rounds)).toMatchObject([{ outcome: "checked" }]);
  expect(await alertsOf(story.sql, ["new"])).toEqual([]);
  const started = await watchStartedOf(person?.userId);
  expect(started.map(({ chatId }) => chatId).toSorted()).toEqual(["71", "72", "72"]);
  expect(started.at(-1)?.payload.newest).toMatchObject(
    missed
      .toReversed()
      .slice(0, 3)
      .map((propertyCode) => ({ propertyCode })),
  );
  story.clock.advance(630_000);
  const code = story.publish(RETIRO);
  await story.round(rounds);
  expect(await story.kindsOf(code)).toEqual(["new"]);
});

test("DOOR-03 a person who keeps changing the link costs only a few first checks, and the last link is watched in the end", async () => {
  const rounds = story.rounds();
  const [other, busy] = await addPeople(story.sql, [{ url: RETIRO }, { url: FAR_APART[0] ?? "" }]);
  await story.round(rounds);
  for (const url of FAR_APART) {
    await story.sql`update public.filter_settings set filter_url = ${url} where user_id = ${busy?.userId ?? ""}`;
    await runDue(rounds);
  }
  expect((await story.sql`select 1 from watch.feeds where last_ok_at is not null`).length).toBeLessThan(15);
  const last = FAR_APART.at(-1) ?? "";
  const [state] = await story.sql`
    select watch.state_of_search(id) as state from public.searches where first_of = ${busy?.userId ?? ""}`;
  expect(state?.state).toMatchObject({ baseline_at: null, chats: { connected: 1 } });
  for (let n = 0; n < 4; n++) await story.round(rounds);
  const [started] = (await watchStartedOf(busy?.userId)).toReversed();
  expect(started?.payload.filterUrl).toBe(last);
  expect(await watchStartedOf(other?.userId)).toHaveLength(1);
});

test("DOOR-03 the status of a search says whether a chat is reachable, and announces no check if none is", async () => {
  const [unheard, heard] = await addPeople(story.sql, [
    { url: FAR_APART[1] ?? "", isUnreachable: true },
    { url: RETIRO },
  ]);
  await story.round();
  const stateOf = async (userId: string | undefined) =>
    (
      await story.sql`
    select watch.state_of_search(id) as state from public.searches where first_of = ${userId ?? ""}`
    )[0]?.state;
  expect(await stateOf(heard?.userId)).toMatchObject({ chats: { connected: 1 }, interval_seconds: 600 });
  expect(await stateOf(unheard?.userId)).toMatchObject({
    chats: { connected: 0 },
    baseline_at: null,
    interval_seconds: null,
    next_check_at: null,
  });
  await setChats(heard?.userId, "blocked");
  await story.round();
  expect(await stateOf(heard?.userId)).toMatchObject({
    chats: { connected: 0, lost: 1, only_chat: { state: "blocked" } },
    last_ok_at: expect.any(String),
    next_check_at: null,
  });
});

test("DOOR-03 WATCH-01 connecting, blocking or removing a chat sends a notification for its person's filter", async () => {
  const heard: string[] = [];
  const isListening = Promise.withResolvers<void>();
  const listening = listenFor({
    url: story.databaseUrl,
    channel: "filters",
    onNotification: (filterId) => heard.push(filterId),
    onListening: isListening.resolve,
  });
  await isListening.promise;
  const [person] = await addPeople(story.sql, [{ url: RETIRO, isUnreachable: true }]);
  const { userId = "", filterId } = person ?? {};
  await expect.poll(() => heard).toEqual([filterId]);
  await setChats(userId, "connected");
  await expect.poll(() => heard).toEqual([filterId, filterId]);
  await setChats(userId, "blocked");
  await expect.poll(() => heard).toHaveLength(3);
  await setChats(userId, "unreachable");
  await setChats(userId, "connected");
  await expect.poll(() => heard).toHaveLength(4);
  await story.sql`delete from public.chats where user_id = ${userId}`;
  await expect.poll(() => heard).toHaveLength(5);
  await listening.stop();
});
