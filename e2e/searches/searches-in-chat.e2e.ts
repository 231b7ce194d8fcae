// One search added on the page, one in the chat, and a home that matches both.
import { postToConsole } from "../support/console.ts";
import { expect, openWizard } from "../support/filter-page.ts";
import { newClient, PASSWORD, type Person } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { messagesOn, newPhone, press, pressStart, say } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";

test.describe.configure({ timeout: 300_000 });

const TRAFALGAR =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400,ascensor/";
const CHAMBERI = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1900/";
/** Checks, alerts and edits of messages follow one after the other. */
const LIVE = { timeout: 90_000 };

const { bot, filter } = textsIn("en");

test("MANY-01 MANY-02 MANY-03 MANY-04 a home that matches a search from the page and one from the chat produces one alert", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { person, form } = await openWizard(page, baseURL);
  await form.url.fill(TRAFALGAR);
  await form.next.click();
  const link = page.getByRole("link", { name: filter.connect.button });
  await expect(link).toHaveAttribute("href", /start=/);
  const phone = await newPhone("Ana");
  await pressStart(phone, new URL((await link.getAttribute("href")) ?? "").searchParams.get("start") ?? "");
  await press(phone, "That's me");
  await form.save.click();
  await expect(form.saveChanges).toBeVisible();

  await say(phone, `Mira esta búsqueda en idealista:\n${CHAMBERI}?ordenado-por=precios-asc ¿Qué te parece?`);
  await press(phone, bot.watch_it);
  await page.getByRole("link", { name: filter.searches.title }).click(LIVE);
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect.poll(() => startedSearches(person), LIVE).toBe(2);

  const {
    listings: [published],
  } = await postToConsole<{ listings: { code: string }[] }>("portal/listings", { url: TRAFALGAR });
  const alerts = async () =>
    (await messagesOn(phone))
      .map((message) => JSON.stringify(message))
      .filter((message) => message.includes(`/inmueble/${published?.code}/`));
  // The second matching search is added to the message by an edit.
  await expect
    .poll(async () => (await alerts()).map(namesIn), LIVE)
    .toEqual([["Chamberí, Madrid", "Trafalgar, Chamberí, Madrid"]]);

  await say(phone, "/rename 2 Near work");
  const nearWork = page.getByRole("article").filter({ hasText: "Near work" });
  await expect(nearWork).toBeVisible(LIVE);
  await say(phone, "/searches");
  await press(phone, "2. Near work");
  await press(phone, bot.search_pause);
  await expect(nearWork).toContainText(textsIn("en").health.paused.title, LIVE);

  const client = await newClient(baseURL ?? "");
  await client.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  const { data } = await client.rpc("export_my_data");
  expect(data.searches).toMatchObject([
    { filter_url: expect.stringContaining("trafalgar"), is_first: true },
    { name: "Near work", is_paused: true },
  ]);

  await press(phone, bot.search_delete);
  await press(phone, bot.delete_yes);
  await expect(form.saveChanges).toBeVisible(LIVE);
  await expect(page.getByRole("article")).toHaveCount(0);
  expect(await alerts()).toHaveLength(1);
  expect((await client.rpc("delete_my_account", { current_password: PASSWORD })).error).toBeNull();
  expect(await startedSearches(person)).toBe(0);
});

/** The searches named in a message, sorted. */
const namesIn = (message: string) => /🔎 ([^"\\]*)/.exec(message)?.[1]?.split(" · ").sort();

/** The number of searches of the user that have had their first check. */
const startedSearches = ({ id }: Person) =>
  inDatabase(async (sql) => {
    const [row] = await sql<{ started: number }[]>`
      select count(*)::int as started from watch.compiled_searches where user_id = ${id} and baseline_at is not null`;
    return row?.started;
  });
