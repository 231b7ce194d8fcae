// The status of a search: the same words on its card, its page and the profile.
import { localizedPath } from "#core/languages.ts";
import { CHAMBERI, expect, filterPageIn, openEditForm } from "../support/filter-page.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

test("MAIL-09 MAIL-11 TRUE-01 TRUE-02 the page shows the status of the watch, from waiting for a chat to its failures, and updates without a reload (fr)", async ({
  page,
  baseURL,
}) => {
  // No other test searches this place, so that its feed belongs to this test.
  const url =
    "https://www.idealista.com/alquiler-viviendas/teruel-provincia/?ordenado-por=fecha-publicacion-desc";
  const phone = await newPhone("Ana", { isStarted: true });
  const { person, form } = await openEditForm(page, baseURL, { language: "fr", url, ids: [String(phone)] });
  const { health } = form;
  const { watch } = form.texts;
  const { id } = person;
  const setChat = (state: string) =>
    inDatabase((sql) => sql`update chats set state = ${state} where user_id = ${id}`);
  const unlit = form.watch.locator("svg.grayscale");
  await expect(form.watch).toContainText("Logements à louer");
  await expect(form.watch).toContainText(health.waitingForYes.title);
  await expect(form.watch).toContainText(health.waitingForYes.text);
  await setChat("connected");
  await expect(form.watch).toContainText(health.watching.title, { timeout: 60_000 });
  await expect(unlit).toHaveCount(0);
  await inDatabase(async (sql) => {
    await sql`delete from watch.alerts where user_id = ${id}`;
    for (const [index, state] of [
      "sent",
      "sent",
      "expired",
      "pending",
      "undeliverable",
      "merged",
    ].entries()) {
      const listing = {
        title: `Piso ${index}`,
        priceEur: 1250,
        url: `https://www.idealista.com/inmueble/${index}/`,
      };
      await sql`insert into watch.alerts
          (user_id, chat_id, kind, listing_id, payload, state, created_at, not_before, search_ids)
        select ${id}, ${phone}, 'new', ${String(index)}, ${sql.json({ listing })}, ${state},
          now() - ${index} * interval '1 minute', now() + interval '1 hour', array[id] from searches where user_id = ${id}`;
    }
    // Found by mail and sent within two to nine seconds.
    await sql`insert into watch.alerts
        (user_id, chat_id, kind, listing_id, payload, state, created_at, source, seen_at, sent_at, search_ids)
      select ${id}, ${phone}, 'test', 'm' || n, '{}', 'sent', now() - interval '1 day', 'mail',
        now() - interval '1 day' - n * interval '1 second', now() - interval '1 day', array[searches.id]
      from unnest(array[2, 3, 4, 5, 9]) as n, searches where user_id = ${id}`;
    await sql`insert into listings (listing_id, user_id, details, search_ids)
      select '1', ${id}, '{}', array[id] from searches where user_id = ${id}`;
  });
  const details = page.getByRole("region", { name: form.texts.folds.details });
  const openDetails = () => form.fold(form.texts.folds.details).click();
  const fact = (name: string) =>
    form.watch
      .or(details)
      .locator("dl > div")
      .filter({ has: page.getByText(watch.facts[name] ?? health.counts[name], { exact: true }) })
      .locator("dd");
  await expect(details).toBeHidden();
  await openDetails();
  // The product under test checks every minute; any interval up to ten minutes is shown as the promised ten.
  await expect(fact("interval")).toHaveText(form.texts.service.intervalValue);
  await expect(details).toContainText(health.counts.title);
  for (const [name, count] of [
    ["found", "6"],
    ["sent", "3"],
    ["waiting", "1"],
    ["undelivered", "2"],
  ] as const) {
    await expect(fact(name)).toHaveText(count);
  }
  const [lastAlert = ""] = watch.facts.lastAlert.split("{{time}}");
  await expect(details).toContainText(lastAlert);
  await expect(details).toContainText(`, ${watch.sources.mail}`);
  const [freshness = ""] = watch.freshness.split("{{alerts}}");
  await expect(details).toContainText(freshness.replace("{{median}}", "4 s").replace("{{p95}}", "9 s"));
  // In the answer: the plan brings a later check forward again whenever anybody saves a search.
  const answerWith = (facts: () => object) =>
    page.route("**/rest/v1/rpc/my_watches", async (route) => {
      const answer = await route.fetch();
      const watches = (await answer.json()) as object[];
      await route.fulfill({ response: answer, json: watches.map((watch) => ({ ...watch, ...facts() })) });
    });
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  await answerWith(() => ({ last_ok_at: inSeconds(-185), next_check_at: inSeconds(430) }));
  await page.reload();
  await expect(fact("last")).toHaveText("Il y a 3 min");
  await expect(fact("next")).toContainText(/[78]/);
  await page.unrouteAll({ behavior: "wait" });
  await openDetails();
  const alerts = page.getByRole("region", { name: watch.latest }).getByRole("listitem");
  await expect(alerts).toHaveCount(5);
  await expect(alerts.first()).toContainText(watch.alertStates.sent);
  await expect(alerts.first().getByRole("link", { name: "Piso 0" })).toHaveAttribute(
    "href",
    "https://www.idealista.com/fr/inmueble/0/",
  );
  await expectAccessible(page);

  // A longer interval is shown the same way in every place.
  await answerWith(() => ({ interval_seconds: 259_200, spent_until: null }));
  await page.reload();
  await openDetails();
  const interval = "Tous les 3 jours";
  await expect(fact("interval")).toHaveText(interval);
  await expect(page.getByRole("region", { name: form.texts.service.title })).toContainText(interval);
  await page.goto("/fr/profile");
  await expect(page.getByRole("main")).toContainText("relance votre recherche tous les 3 jours");
  await expect(page.getByRole("main")).toContainText(health.watching.title);
  // An answer may still be on its way.
  await page.unrouteAll({ behavior: "wait" });

  const reload = async (change: Parameters<typeof inDatabase>[0]) => {
    await inDatabase(change);
    await page.goto(form.path);
  };
  // A check that was running during this update overwrites it: then it is repeated.
  await expect(async () => {
    await reload(
      (sql) => sql`update watch.feeds set failing_since = now() - interval '2 hours', failed_rounds = 3,
        failure_reason = 'quota-spent', next_check_at = now() + interval '430 seconds'
      where key = (select feed_key from watch.compiled_searches where user_id = ${id})`,
    );
    await expect(form.watch).toContainText(/Pas de vérification avant le 1er \S+\s: /, { timeout: 5_000 });
  }).toPass();
  await expect(unlit).toHaveCount(1);
  await reload(async (sql) => {
    // Make the feed healthy again, because it may outlive the pause below.
    await sql`update watch.feeds set failing_since = null, failed_rounds = 0, failure_reason = null, spent_until = null
      where key = (select feed_key from watch.compiled_searches where user_id = ${id})`;
    await sql`update watch.compiled_searches set problem = 'no-source' where user_id = ${id}`;
  });
  await expect(form.watch).toContainText(health.noSource.title);
  await expect(form.watch).toContainText(health.noSource.text);
  await expect(fact("next")).toHaveText(watch.facts.onHold);
  await form.watch.getByRole("button", { name: watch.pause }).click();
  await expect(form.watch).toContainText(health.paused.title);
  await expect(fact("next")).toHaveText(watch.facts.onHold);
  await expect(fact("last")).not.toHaveText(watch.facts.none);
  await openDetails();
  await expect(fact("interval")).not.toHaveText(watch.facts.none);
  await form.watch.getByRole("button", { name: watch.resume }).click();
  await expect(unlit).toHaveCount(0);
  await setChat("blocked");
  await expect(form.watch).toContainText(health.chatsLost.only.blocked);
  await expect(form.watch).toContainText(health.chatsLost.text);
  await expect(form.form).toContainText(form.texts.edit.badge);
  await expect(unlit).toHaveCount(1);
});

const LOST = { named: 1, connected: 0, waiting: 0, lost: 1 };

/** Name, the fields that differ from those of a healthy search, and the text shown for the state. */
const STATES: readonly [string, object, (words: Words) => string][] = [
  ["watching", {}, ({ watching }) => watching.title],
  ["paused", { is_paused: true }, ({ paused }) => paused.title],
  ["notASearch", { problem: "not-a-search" }, ({ notASearch }) => notASearch.title],
  ["noSource", { problem: "no-source" }, ({ noSource }) => noSource.title],
  [
    "blocked",
    { chats: { ...LOST, only_chat: { state: "blocked", reason: null } } },
    ({ chatsLost }) => chatsLost.only.blocked,
  ],
  ["lost", { chats: { ...LOST, named: 2, only_chat: null } }, ({ chatsLost }) => chatsLost.title],
  ["waitingForYes", { chats: { ...LOST, lost: 0, waiting: 1 } }, ({ waitingForYes }) => waitingForYes.title],
  ["muted", { muted_until: "infinity" }, ({ muted }) => muted.endless],
  ["held", { is_held: true }, ({ held }) => held.title],
  [
    "spent",
    { spent_until: "2099-12-01T00:00:00+01:00", failing_since: "2026-11-10T13:05:00Z" },
    ({ spent, day }) => spent.title.replace("{{date}}", day),
  ],
  [
    "failing",
    { failing_since: "2026-11-10T13:05:00Z", failure_reason: "unreachable" },
    ({ failing, since }) => failing.title.replace("{{since}}", since),
  ],
  ["first", { baseline_at: null, last_ok_at: null }, ({ first }) => first.title],
];

type Words = ReturnType<typeof textsIn>["health"] & { day: string; since: string };

/** The maximum number of searches of a user. */
const MAX_SEARCHES = 10;
const GERMAN = ["de", "1. Dezember", "dem 10. November, 14:05\u00a0Uhr"] as const;
const SPANISH = ["es", "1 de diciembre", "el 10 de noviembre a las 14:05\u00a0h"] as const;
for (const { states, languages } of [
  { states: STATES.slice(0, MAX_SEARCHES), languages: [GERMAN] },
  // Those with a date.
  { states: STATES.slice(MAX_SEARCHES), languages: [GERMAN, SPANISH] },
]) {
  const names = states.map(([name]) => name).join(", ");
  test(`TRUE-01 the card, the profile and the panel show the same text for each state: ${names}`, {
    tag: languages.length > 1 ? [] : "@long",
  }, async ({ page, baseURL }) => {
    const { person } = await openEditForm(page, baseURL);
    await inDatabase(async (sql) => {
      await sql`update filter_settings set name = ${states[0]?.[0] ?? ""} where user_id = ${person.id}`;
      for (const [name] of states.slice(1)) {
        await sql`insert into searches (user_id, filter_url, receiver_ids, name)
        values (${person.id}, ${CHAMBERI}, '{501}', ${name})`;
      }
    });
    const facts = await inDatabase(
      async (sql) =>
        [...(await sql`select id, name from searches where user_id = ${person.id}`)] as {
          id: string;
          name: string;
        }[],
    );
    const watches = facts.map(({ id, name }) => ({
      id,
      is_paused: false,
      problem: null,
      chats: { named: 1, connected: 1, waiting: 0, lost: 0, only_chat: null },
      muted_until: null,
      is_held: false,
      baseline_at: "2026-11-10T13:00:00Z",
      last_ok_at: "2026-11-10T13:00:00Z",
      next_check_at: null,
      interval_seconds: 600,
      failing_since: null,
      failure_reason: null,
      spent_until: null,
      waits_until: null,
      late_since: null,
      is_served_by_mail: false,
      alerts: { found: 0, sent: 0, waiting: 0, undelivered: 0 },
      last_sent: null,
      freshness: null,
      last_find: null,
      latest_alerts: [],
      ...states.find(([state]) => state === name)?.[1],
    }));
    await inDatabase(
      (sql) => sql`update searches set is_paused = true where user_id = ${person.id} and name = 'paused'`,
    );
    await page.route("**/rest/v1/rpc/my_watches", (route) => route.fulfill({ json: watches }));
    for (const [language, day, since] of languages) {
      const words = { ...textsIn(language).health, day, since };
      const form = filterPageIn(page, language);
      await page.goto(form.path);
      for (const [name, , line] of states) {
        const card = page
          .getByRole("article")
          .filter({ has: page.getByRole("heading", { name, exact: true }) });
        // Said once for all that are watched.
        await expect(card.getByText(line(words), { exact: true })).toHaveCount(name === "watching" ? 0 : 1);
        await card.getByRole("link", { name, exact: true }).click();
        await expect(form.watch.getByRole("status").getByText(line(words), { exact: true })).toBeVisible();
        const isLit = name === "watching" || name === "first";
        await expect(form.watch.locator("svg.grayscale")).toHaveCount(isLit ? 0 : 1);
        await page.goBack();
      }
      await page.goto(localizedPath("/profile", language));
      const list = page.getByRole("list", { name: textsIn(language).account.filter.searches });
      for (const [name, , line] of states.filter(([name]) => name !== "watching")) {
        const row = list.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
        await expect(row.getByText(line(words), { exact: true })).toBeVisible();
      }
    }
  });
}
