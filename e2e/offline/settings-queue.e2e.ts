// Every setting that can be changed without a connection is saved when it is back, once each and in order.
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { addSearches } from "../support/finds.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { account, common, filter, map, rules, "finds-settings": settings } = textsIn("en");

const AUCTION = { on: "warning", kind: "auction", act: "leave-out" };
const AGENCY = { on: "advertiser", is: "agency", act: "silent" };

/** Chooses a rule, and saves all of them. */
async function saveRule(page: Page, subject: string, act: keyof typeof rules.acts): Promise<void> {
  const line = page.getByRole("radiogroup", { name: rules.choice.replace("{{subject}}", subject) });
  await line.getByRole("radio", { name: rules.acts[act] }).check();
  await page.getByRole("button", { name: rules.save }).click();
  await expect(page.getByRole("button", { name: rules.save })).toHaveCount(0);
}

/** A tab that is open before the connection is lost. */
interface Tab {
  page: Page;
  /** Its answered writing requests: method, table and the names of the written columns. */
  writes: string[];
}

async function openTab(context: BrowserContext, path: string): Promise<Tab> {
  const page = await context.newPage();
  const writes: string[] = [];
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    if (/GET|HEAD|OPTIONS/.test(request.method()) || !/\/(rest|auth)\/v1\/(?!rpc\/)/.test(pathname)) return;
    const columns = Object.keys(JSON.parse(request.postData() ?? "{}"));
    writes.push([request.method(), pathname.replace(/.*\/v1\//, ""), ...columns].join(" "));
  });
  await page.goto(path);
  return { page, writes };
}

const rowsOf = ({ id }: Person) =>
  inDatabase(async (sql) => ({
    places: await sql`
      select name, longitude <> -3.7 as is_elsewhere from own_places
      where user_id = ${id} order by created_at`,
    searches: await sql`
      select name, is_paused, quiet_from::text, quiet_until::text, rules from searches
      where user_id = ${id} order by filter_url`,
    settings: await sql`select hidden_warnings, who from find_settings where user_id = ${id}`,
    profile: await sql`select full_name, language from profiles where id = ${id}`,
  }));

test("CALM-04 every setting changed offline is saved once, in order", async ({ page, context, baseURL }) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  const [soria = ""] = await addSearches(person);
  await inDatabase(
    (sql) => sql`
      insert into own_places (user_id, name, latitude, longitude, created_at)
      values (${person.id}, 'Home', 40.42, -3.7, now() - interval '1 hour'), (${person.id}, 'Old', 40.42, -3.7, now())`,
  );
  await signIn(page, person);
  const finds = await openTab(context, "/finds?view=settings");
  const places = finds.page.getByRole("region", { name: settings.places.title });
  const pick = places.getByRole("button", { name: map.pick.set });
  await places.getByRole("button", { name: settings.places.add }).click();
  await expect(pick).toBeVisible();
  const list = await openTab(context, "/filter-settings");
  await expect(list.page.getByRole("article")).toHaveCount(3);
  const search = await openTab(context, `/filter-settings?search=${soria}`);
  const hours = search.page.getByRole("region", { name: filter.quiet.title });
  await search.page.getByRole("button", { name: filter.folds.rules }).click();
  await expect(search.page.getByRole("switch", { name: rules.summary.switch })).toBeVisible();
  await search.page.getByRole("button", { name: filter.quiet.title }).click();
  await expect(hours.getByRole("checkbox")).toBeVisible();
  const profile = await openTab(context, "/profile");
  const edit = profile.page.getByRole("button", { name: account.name.edit });
  await expect(edit).toBeVisible();
  const before = await rowsOf(person);
  await context.setOffline(true);

  const savePlace = async (name: string) => {
    await places.getByLabel(settings.places.name).fill(name);
    await places.getByRole("button", { name: settings.places.save }).click();
    await expect(places.getByRole("button", { name: `Change ${name}` })).toBeVisible();
  };
  await pick.click();
  await savePlace("Gym");
  await places.getByRole("button", { name: "Change Gym" }).click();
  await savePlace("Pool");
  await places.getByRole("button", { name: "Change Home" }).click();
  await places.getByRole("application").press("ArrowRight");
  await pick.click();
  await savePlace("Home");
  await places.getByRole("button", { name: "Delete Old" }).click();
  await expect(places.getByRole("listitem")).toHaveCount(2);
  const warnings = finds.page.getByRole("region", { name: settings.warnings.title });
  await warnings.getByText(settings.warnings.each).click();
  await warnings.getByRole("switch", { name: "No photo" }).uncheck();
  await finds.page.getByLabel(settings.message.parts.who).fill("Una pareja");
  await finds.page.getByRole("button", { name: settings.message.save }).click();
  await expect(finds.page.getByText(settings.willBeSaved)).toHaveCount(2);

  const card = list.page.getByRole("article").filter({ hasText: "Teruel" });
  await card.getByRole("button", { name: filter.searches.more }).click();
  await card.getByRole("button", { name: filter.searches.rename }).click();
  await card.getByLabel(filter.searches.name).fill("Near the river");
  await card.getByLabel(filter.searches.name).press("Enter");
  await list.page.getByRole("button", { name: "Pause Near the river" }).click();
  await expect(list.page.getByRole("button", { name: "Resume Near the river" })).toBeVisible();
  await list.page.getByRole("button", { name: filter.searches.pauseAll }).click();
  await expect(list.page.getByRole("button", { name: filter.searches.resumeAll })).toBeVisible();
  // A deletion is refused: until it could be sent, the search would go on alerting.
  await card.getByRole("button", { name: "Delete Near the river" }).click();
  await expect(card.getByText(filter.searches.deleteOffline)).toBeVisible();

  await hours.getByRole("checkbox").check();
  await hours.getByRole("button", { name: filter.quiet.save }).click();
  await expect(hours.getByRole("button", { name: filter.quiet.save })).toHaveCount(0);
  await search.page.getByRole("button", { name: filter.folds.rules }).click();
  await saveRule(search.page, "Auction", "leave-out");
  await saveRule(search.page, rules.agency, "silent");

  await edit.click();
  await profile.page.getByLabel(account.name.label).fill("Ana Ruiz");
  await profile.page.getByRole("button", { name: account.name.save }).click();
  await expect(edit).toBeVisible();
  await profile.page.getByRole("combobox", { name: account.alertLanguage.title }).selectOption("es");

  for (const tab of [finds, list, search, profile]) {
    await expect(tab.page.getByText(common.parts.waiting)).toBeVisible();
    expect(tab.writes).toEqual([]);
  }
  expect(await rowsOf(person)).toEqual(before);

  await context.setOffline(false);
  const paused = { name: null, is_paused: true, quiet_from: null, quiet_until: null, rules: [] };
  await expect
    .poll(() => rowsOf(person))
    .toEqual({
      places: [
        { name: "Home", is_elsewhere: true },
        { name: "Pool", is_elsewhere: true },
      ],
      searches: [
        { ...paused, quiet_from: "23:00:00", quiet_until: "08:00:00", rules: [AUCTION, AGENCY] },
        { ...paused, name: "Near the river" },
        paused,
      ],
      settings: [{ hidden_warnings: ["no-photo"], who: "Una pareja" }],
      profile: [{ full_name: "Ana Ruiz", language: "es" }],
    });
  // The answer reaches the browser after the row is in the database.
  await expect
    .poll(() => finds.writes)
    .toEqual([
      "POST own_places name latitude longitude",
      "PATCH own_places name",
      "PATCH own_places latitude longitude",
      "DELETE own_places",
      expect.stringMatching(/^POST find_settings .*hidden_warnings/),
      expect.stringMatching(/^PATCH find_settings .*who/),
    ]);
  await expect
    .poll(() => list.writes)
    .toEqual(["PATCH searches name", "PATCH searches is_paused", "PATCH searches is_paused"]);
  await expect
    .poll(() => search.writes)
    .toEqual(["PATCH searches quiet_from quiet_until", "PATCH searches rules", "PATCH searches rules"]);
  await expect(card.getByText(filter.searches.deleteOffline)).toHaveCount(0);
  await expect
    .poll(() => profile.writes)
    .toEqual([expect.stringMatching(/^PUT user data/), "PATCH profiles language"]);
});

test("CALM-04 a setting changed offline that another device changed meanwhile is asked about, and nothing is lost", async ({
  page,
  context,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  const [soria = ""] = await addSearches(person);
  await inDatabase(
    (sql) => sql`
      insert into own_places (user_id, name, latitude, longitude) values (${person.id}, 'Home', 40.42, -3.7)`,
  );
  await signIn(page, person);
  const finds = (await openTab(context, "/finds?view=settings")).page;
  const list = (await openTab(context, "/filter-settings")).page;
  const search = (await openTab(context, `/filter-settings?search=${soria}`)).page;
  const profile = (await openTab(context, "/profile")).page;
  await finds.getByRole("button", { name: "Change Home" }).click();
  await expect(finds.getByRole("button", { name: map.pick.set })).toBeVisible();
  const card = list.getByRole("article").filter({ hasText: "Soria" });
  await card.getByRole("button", { name: filter.searches.more }).click();
  await card.getByRole("button", { name: filter.searches.rename }).click();
  await search.getByRole("button", { name: filter.folds.rules }).click();
  await expect(search.getByRole("switch", { name: rules.summary.switch })).toBeVisible();
  await search.getByRole("button", { name: filter.quiet.title }).click();
  await search.getByRole("checkbox", { name: filter.quiet.toggle }).check();
  await profile.getByRole("button", { name: account.name.edit }).click();
  await context.setOffline(true);

  await finds.getByLabel(settings.places.name).fill("Mine");
  await finds.getByRole("button", { name: settings.places.save }).click();
  await card.getByLabel(filter.searches.name).fill("Mine");
  await card.getByLabel(filter.searches.name).press("Enter");
  await search.getByRole("button", { name: filter.quiet.save }).click();
  await search.getByRole("button", { name: filter.folds.rules }).click();
  await saveRule(search, "Auction", "leave-out");
  await profile.getByLabel(account.name.label).fill("Mine");
  await profile.getByRole("button", { name: account.name.save }).click();
  for (const tab of [finds, list, search, profile])
    await expect(tab.getByText(common.parts.waiting)).toBeVisible();
  await inDatabase(async (sql) => {
    await sql`update own_places set name = 'Theirs' where user_id = ${person.id}`;
    await sql`
      update searches
      set name = 'Theirs', quiet_from = '22:00', quiet_until = '07:00', rules = ${sql.json([AGENCY])}
      where id = ${soria}`;
    await sql`update profiles set full_name = 'Theirs' where id = ${person.id}`;
  });

  await context.setOffline(false);
  const { conflict } = common;
  for (const tab of [finds, list, profile]) {
    const question = tab.getByRole("alert").filter({ hasText: conflict.useMine });
    await expect(question).toContainText(conflict.mine.replace("{{value}}", "Mine"));
    await expect(question).toContainText(conflict.theirs.replace("{{value}}", "Theirs"));
    const answer = tab === profile ? conflict.useTheirs : conflict.useMine;
    await question.getByRole("button", { name: answer }).click();
    await expect(question).toHaveCount(0);
  }
  const question = search.getByRole("alert").filter({ hasText: conflict.useMine });
  const ruleQuestion = question.filter({ hasText: "Leave out: auction" });
  await expect(ruleQuestion).toContainText("Silently: agency");
  await ruleQuestion.getByRole("button", { name: conflict.useMine }).click();
  const hours = question.filter({ hasText: "23:00" });
  await expect(hours).toContainText("23:00 – 08:00");
  await expect(hours).toContainText("22:00 – 07:00");
  await hours.getByRole("button", { name: conflict.useMine }).click();
  await expect
    .poll(() => rowsOf(person))
    .toMatchObject({
      places: [{ name: "Mine" }],
      searches: [{ name: "Mine", quiet_from: "23:00:00", quiet_until: "08:00:00", rules: [AUCTION] }, {}, {}],
      profile: [{ full_name: "Theirs" }],
    });
});
