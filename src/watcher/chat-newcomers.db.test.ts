import { expect, test } from "vitest";
import { startInChat } from "#telegram/bot/rows/start-in-chat.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com";
/** Each is a feed of its own: no two of them can share a request. */
const FAR_APART = ["barcelona-barcelona", "valencia-valencia", "sevilla-sevilla", "malaga-malaga"].flatMap(
  (place) =>
    ["venta", "alquiler"].flatMap((operation) =>
      ["viviendas", "oficinas", "locales", "garajes", "trasteros"].map(
        (kind) => `${SITE}/${operation}-${kind}/${place}/`,
      ),
    ),
);
const HOUR_MS = 3_600_000;
const MONTHLY_REQUESTS = 400;

const story = storyForTests(500);

const started = async () => (await alertsOf(story.sql, ["watch-started"])).map(({ userId }) => userId);

test("START-07 a thousand Telegram accounts in an hour make few accounts, and spend neither the requests of others nor those of newcomers on the website", {
  tags: "long",
}, async () => {
  const { sql } = story;
  await sql`insert into private.server_keys (name, value) values ('hash_secret', ${"a secret of this test".repeat(2)})`;
  const rounds = story.rounds({ only: "by-url", monthlyRequests: MONTHLY_REQUESTS });
  const [old] = await addPeople(sql, [{ url: `${SITE}/venta-terrenos/getafe-madrid/` }]);
  await runDue(rounds);
  story.clock.advance(8 * 24 * HOUR_MS);

  const begin = story.clock.now();
  const outcomes: string[] = [];
  for (let n = 0; n < 1_000; n += 1) {
    const url = FAR_APART[n % FAR_APART.length] ?? "";
    const beginning = { telegramId: String(70_000 + n), name: `Bot ${n}`, language: "en", url } as const;
    outcomes.push((await startInChat(sql, beginning, begin + n * (HOUR_MS / 1_000))).outcome);
  }
  const made = outcomes.filter((outcome) => outcome === "added").length;
  expect(made).toBe(41);
  expect(new Set(outcomes)).toEqual(new Set(["added", "busy"]));

  story.clock.advance(HOUR_MS);
  await runDue(rounds);
  // A fifth of the remaining requests is for newcomers, and half of that for chats; a first check takes about four.
  const [counted] = await sql`
    select sum(chat_checks)::int as checks from watch.newcomer_checks where chat_checks > 0`;
  expect(counted?.checks).toBe((MONTHLY_REQUESTS * 0.2 * 0.5) / 4);

  const [newcomer] = await addPeople(sql, [{ url: `${SITE}/venta-edificios/zaragoza-zaragoza/` }]);
  await sql`
    insert into private.known_addresses (user_id, address_hash, last_used_at)
    values (${newcomer?.userId ?? ""}, sha256('203.0.113.9'), now())`;
  await sql`
    update public.filter_settings set filter_url = ${`${SITE}/venta-terrenos/leganes-madrid/`}
    where user_id = ${old?.userId ?? ""}`;
  await runDue(rounds);
  const served = await started();
  expect(served).toContain(newcomer?.userId);
  expect(served.filter((userId) => userId === old?.userId)).toHaveLength(2);
});
