// Every setting that can be changed without a connection is saved when it is back, once each and in order.

import { expect } from "@playwright/test";
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

test("CALM-04 every setting changed offline is saved once, in order", async ({ page, context, baseURL }) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  const [soria = ""] = await addConnectedSearches(person);
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
  const hours = search.page.getByRole("region", { name: filter.folds.loud });
  await search.page.getByRole("button", { name: filter.folds.rules }).click();
  await expect(search.page.getByRole("button", { name: rules.add })).toBeVisible();
  await search.page.getByRole("button", { name: filter.folds.loud }).click();
  await expect(hours.getByRole("switch", { name: rules.summary.switch })).toBeVisible();
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

  await hours.getByRole("switch", { name: filter.quiet.toggle }).click();
  await expect(hours.getByRole("switch", { name: filter.quiet.toggle })).toBeChecked();
  await search.page.getByRole("button", { name: filter.folds.rules }).click();
  await saveRule(search.page, "Auction", "leave-out");
  await saveRule(search.page, rules.agency, "silent");
  await saveLink(search.page, linkTo("segovia-segovia"));
  await saveLink(search.page, linkTo("salamanca-salamanca"));
  await chooseReceives(search.page, "kept");

  await edit.click();
  await profile.page.getByLabel(account.name.label).fill("Ana Ruiz");
  await profile.page.getByRole("button", { name: account.name.save }).click();
  await expect(edit).toBeVisible();
  const toasts = profile.page.getByRole("region", { name: common.toasts.region });
  await expect(toasts).toHaveText(common.parts.waiting);
  await profile.page.getByRole("combobox", { name: account.alertLanguage.title }).selectOption("es");

  for (const tab of [finds, list, search, profile]) {
    await expect(tab.page.getByText(common.parts.waiting).first()).toBeVisible();
    expect(tab.writes).toEqual([]);
  }
  expect(await rowsOf(person)).toEqual(before);

  await goOnline(context);
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
      filter: [{ filter_url: linkTo("salamanca-salamanca") }],
      chats: [{ receives: "kept" }],
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
    .toEqual([
      "PATCH searches quiet_from quiet_until",
      "PATCH searches rules",
      "PATCH searches rules",
      "POST filter_settings user_id filter_url receiver_ids based_on",
      "POST filter_settings user_id filter_url receiver_ids based_on",
      "PATCH chats receives",
    ]);
  await expect(card.getByText(filter.searches.deleteOffline)).toHaveCount(0);
  await expect
    .poll(() => profile.writes)
    .toEqual([expect.stringMatching(/^PUT user data/), "PATCH profiles language"]);
});
