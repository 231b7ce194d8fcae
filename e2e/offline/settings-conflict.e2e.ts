// Settings changed without a connection that another device has changed meanwhile.

import { expect, type Page } from "@playwright/test";
import { signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";
import { goOnline } from "./connection.ts";
import {
  AGENCY,
  AUCTION,
  addConnectedSearches,
  chooseReceives,
  linkTo,
  openTab,
  rowsOf,
  saveLink,
  saveRule,
} from "./settings-tabs.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { account, common, filter, map, rules, "finds-settings": settings } = textsIn("en");

test("CALM-04 a setting changed offline that another device changed meanwhile is asked about, and nothing is lost", async ({
  page,
  context,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  const [soria = "", teruel = ""] = await addConnectedSearches(person);
  await inDatabase(
    (sql) => sql`
      insert into own_places (user_id, name, latitude, longitude) values (${person.id}, 'Home', 40.42, -3.7)`,
  );
  await inDatabase((sql) => sql`update searches set is_paused = true where id = ${teruel}`);
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
  await expect(search.getByRole("button", { name: rules.add })).toBeVisible();
  await search.getByRole("button", { name: filter.folds.loud }).click();
  await expect(search.getByRole("switch", { name: rules.summary.switch })).toBeVisible();
  await profile.getByRole("button", { name: account.name.edit }).click();
  await context.setOffline(true);

  await finds.getByLabel(settings.places.name).fill("Mine");
  await finds.getByRole("button", { name: settings.places.save }).click();
  await card.getByLabel(filter.searches.name).fill("Mine");
  await card.getByLabel(filter.searches.name).press("Enter");
  await search.getByRole("switch", { name: filter.quiet.toggle }).click();
  await search.getByRole("button", { name: filter.folds.rules }).click();
  await saveRule(search, "Auction", "leave-out");
  await saveLink(search, linkTo("salamanca-salamanca"));
  await chooseReceives(search, "kept");
  await list.getByRole("button", { name: filter.searches.pauseAll }).click();
  await profile.getByRole("combobox", { name: account.alertLanguage.title }).selectOption("es");
  await profile.getByLabel(account.name.label).fill("Mine");
  await profile.getByRole("button", { name: account.name.save }).click();
  for (const tab of [finds, list, search, profile])
    await expect(tab.getByText(common.parts.waiting).first()).toBeVisible();
  await inDatabase(async (sql) => {
    await sql`update own_places set name = 'Theirs' where user_id = ${person.id}`;
    await sql`
      update searches
      set name = 'Theirs', quiet_from = '22:00', quiet_until = '07:00', rules = ${sql.json([AGENCY])}
      where id = ${soria}`;
    await sql`update filter_settings set filter_url = ${linkTo("segovia-segovia")} where user_id = ${person.id}`;
    await sql`update chats set receives = 'kept-by-two' where user_id = ${person.id}`;
    await sql`update searches set is_paused = false where id = ${teruel}`;
    await sql`update profiles set full_name = 'Theirs', language = 'fr' where id = ${person.id}`;
  });

  await goOnline(context);
  const { conflict } = common;
  const decide = async (tab: Page, values: [mine: string, theirs: string], answer = conflict.useMine) => {
    const [mine, theirs] = values;
    const question = tab.getByRole("alert").filter({ hasText: conflict.mine.replace("{{value}}", mine) });
    await expect(question).toContainText(conflict.theirs.replace("{{value}}", theirs));
    await question.getByRole("button", { name: answer }).click();
    await expect(question).toHaveCount(0);
  };
  await decide(finds, ["Mine", "Theirs"]);
  await decide(list, ["Mine", "Theirs"]);
  await decide(profile, ["Mine", "Theirs"], conflict.useTheirs);
  await decide(profile, ["Español", "Français"]);
  // An empty list leaves nothing behind, such as its length.
  await expect(profile.locator("xpath=//main//*[text()='0']")).toHaveCount(0);
  await decide(search, ["Leave out: auction", "Alert silently: agency"]);
  await decide(search, ["23:00 – 08:00", "22:00 – 07:00"]);
  const { receives } = filter.chats;
  await decide(search, [receives.kept, receives["kept-by-two"]]);
  await expect(search.getByText(filter.elsewhere.newer)).toBeVisible();
  await decide(search, ["Parking spaces for sale in Salamanca", "Parking spaces for sale in Segovia"]);
  await expect
    .poll(() => rowsOf(person))
    .toMatchObject({
      places: [{ name: "Mine" }],
      searches: [
        { name: "Mine", quiet_from: "23:00:00", quiet_until: "08:00:00", rules: [AUCTION], is_paused: true },
        // Was paused before, and was resumed on the other device.
        { is_paused: false },
        { is_paused: true },
      ],
      profile: [{ full_name: "Theirs", language: "es" }],
      filter: [{ filter_url: linkTo("salamanca-salamanca") }],
      chats: [{ receives: "kept" }],
    });
});
