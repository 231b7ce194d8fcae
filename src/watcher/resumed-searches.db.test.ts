// Searches that were stopped while their feeds were read for others.
import { expect, test } from "vitest";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com/venta-viviendas";
const RETIRO = `${SITE}/madrid/retiro/con-precio-hasta_900000/`;
const EIXAMPLE = `${SITE}/barcelona/eixample/con-precio-hasta_900000/`;
const MINUTES = 60_000;
const DAY = 86_400_000;
const story = storyForTests(3_000);

const toldTo = async (userId: string, kind = "new") =>
  (await alertsOf(story.sql, [kind]))
    .filter((alert) => alert.userId === userId)
    .map(({ listingId }) => listingId);
const setLink = (userId: string, url: string) =>
  story.sql`update public.searches set filter_url = ${url} where user_id = ${userId}`;
const setPaused = (userId: string, isPaused: boolean) =>
  story.sql`update public.searches set is_paused = ${isPaused} where user_id = ${userId}`;
const setChat = (userId: string, state: string, reason: string | null) =>
  story.sql`update public.chats set state = ${state}, reason = ${reason} where user_id = ${userId}`;
const publish = (url: string) => story.publish(url, { priceEur: 500_000 });

const STOPS = {
  "is paused": {
    url: RETIRO,
    stop: (id: string) => setPaused(id, true),
    goOn: (id: string) => setPaused(id, false),
  },
  "has no chat": {
    url: RETIRO,
    stop: (id: string) => setChat(id, "blocked", "blocked"),
    goOn: (id: string) => setChat(id, "connected", null),
  },
  "is paused, just edited to another place": {
    url: EIXAMPLE,
    stop: async (id: string) => {
      await setLink(id, EIXAMPLE);
      await setPaused(id, true);
    },
    goOn: (id: string) => setPaused(id, false),
  },
};

test.each(Object.entries(STOPS))(
  "COVER-01 what checks find for others while a search %s is alerted as soon as it goes on, once",
  async (_, { url, stop, goOn }) => {
    const people = await addPeople(story.sql, [{ url: RETIRO }, { url: RETIRO }, { url: EIXAMPLE }]);
    const { userId = "" } = people[0] ?? {};
    await story.round();
    await stop(userId);
    const codes = [publish(url)];
    await story.round();
    // For hours no check finds anything.
    story.portal.faults.set({ fault: "down" });
    for (let n = 0; n < 6; n++) {
      story.clock.advance(50 * MINUTES);
      await story.round();
    }
    expect(await toldTo(userId)).toEqual([]);
    // The last reading is too old for a new search.
    const [newcomer] = await addPeople(story.sql, [{ url }]);
    await goOn(userId);
    await runDue(story.rounds());
    expect(await toldTo(userId)).toEqual(codes);
    expect(await toldTo(newcomer?.userId ?? "", "watch-started")).toEqual([]);
    story.portal.faults.clear();
    story.clock.advance(DAY);
    codes.push(publish(url));
    for (let n = 0; n < 2; n++) await story.round();
    expect(await toldTo(userId)).toEqual(codes);
    expect(await toldTo(newcomer?.userId ?? "", "watch-started")).toHaveLength(1);
  },
);
