import { expect } from "@playwright/test";
import { refreshMarketFigures } from "#watcher/refresh-market-figures.ts";
import { newClient, PASSWORD, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, test } from "../support/visitor.ts";

/** A town that no other test and no simulator has listings in. */
const VALENCIA = "0-EU-ES-46-02-002-250";
const RUZAFA = { placeId: `${VALENCIA}-02-001`, name: "Russafa" };
const PLA = { placeId: `${VALENCIA}-02-002`, name: "El Pla del Remei" };
const GRAN_VIA = { placeId: `${VALENCIA}-02-003`, name: "Gran Vía" };

const { map, market, finds, "finds-settings": settings } = textsIn("en");

test("FIND-03 the market shows figures with their counts, marks zones with fewer than five homes and can be sorted by keyboard", async ({
  page,
  baseURL,
}) => {
  await addHomes();
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.goto(`/finds?view=market&town=${VALENCIA}&operation=rent`);
  const summary = page.getByRole("main").locator("dl");
  await expect(summary).toContainText("€13.5/m²");
  await expect(summary).toContainText("21 homes");
  const table = page.getByRole("table", { name: /València/ });
  const zones = table.getByRole("rowheader");
  const rowOf = (name: string) => table.getByRole("row").filter({ hasText: name });
  await expect(zones).toContainText([RUZAFA.name, PLA.name]);
  await expect(rowOf(PLA.name)).toContainText("€20.0");

  const seen = table.getByRole("columnheader", { name: market.columns.seen });
  await seen.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect(seen).toHaveAttribute("aria-sort", "descending");
  await expect(zones).toContainText([RUZAFA.name, PLA.name]);
  await page.keyboard.press("Enter");
  await expect(seen).toHaveAttribute("aria-sort", "ascending");
  await expect(zones).toContainText([PLA.name, RUZAFA.name]);
  await expectAccessible(page);

  await page.getByLabel(market.size.label).selectOption("120-up");
  await expect(rowOf(PLA.name)).toContainText(market.few);
  await expect(rowOf(RUZAFA.name)).toContainText("€11.5");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("FIND-04 FIND-05 FIND-06 a place can be saved, deleted and restored, a warning turned off and a message saved", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/finds");
  await page.getByRole("link", { name: finds.views.settings, exact: true }).click();

  const places = page.getByRole("region", { name: settings.places.title });
  await places.getByRole("button", { name: settings.places.add }).click();
  await places.getByRole("button", { name: settings.places.save }).click();
  await expect(places.getByLabel(settings.places.name)).toHaveAccessibleDescription(
    settings.places.nameMissing,
  );
  await expect(places.getByText(settings.places.pointMissing)).toBeVisible();
  await places.getByLabel(settings.places.name).fill(" Work ");
  await places.getByRole("button", { name: map.pick.set }).press("Enter");
  await expect(places.getByText(settings.places.pointMissing)).toHaveCount(0);
  await expectAccessible(page);
  await places.getByRole("button", { name: settings.places.save }).click();
  const row = places.getByRole("listitem").filter({ hasText: "Work" });
  await expect(row).toBeVisible();

  // The bot adds a shared location like this; it appears on the open page.
  const client = await newClient(baseURL ?? "");
  await client.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  await client.from("own_places").insert({ name: "Shared", latitude: 40.42, longitude: -3.7 });
  await places.getByRole("button", { name: "Change Shared" }).click();
  await places.getByLabel(settings.places.name).fill("School");
  await places.getByRole("button", { name: settings.places.save }).click();
  await expect(places.getByRole("button", { name: "Change School" })).toBeFocused();
  await places.getByRole("button", { name: "Delete Work" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: settings.places.undo }).click();
  await expect(row).toBeVisible();

  const warnings = page.getByRole("region", { name: settings.warnings.title });
  const noPhoto = warnings.getByRole("switch", { name: "No photo" });
  const all = warnings.getByRole("switch", { name: settings.warnings.switch });
  await all.uncheck();
  await expect(warnings.getByRole("status")).toHaveText(settings.saved);
  await expect(noPhoto).toBeHidden();
  await all.check();
  await warnings.getByText(settings.warnings.each).click();
  await noPhoto.uncheck();
  await expect(warnings.getByRole("status")).toHaveText(settings.saved);

  const message = page.getByRole("region", { name: settings.message.title });
  await message.getByLabel(settings.message.parts.who).fill("Una pareja sin mascotas");
  await expect(message.locator('[lang="es"]')).toContainText("Una pareja sin mascotas");
  await message.getByRole("button", { name: settings.message.save }).click();
  await expect(message.getByRole("status")).toHaveText(settings.saved);
  await expectAccessible(page);

  const saved = await client.from("find_settings").select("hidden_warnings, who, job").single();
  expect(saved.data).toEqual({
    hidden_warnings: ["no-photo"],
    who: "Una pareja sin mascotas",
    job: null,
  });
  const names = await client.from("own_places").select("name").order("name");
  expect(names.data).toEqual([{ name: "School" }, { name: "Work" }]);
  await page.reload();
  await warnings.getByText(settings.warnings.each).click();
  await expect(noPhoto).not.toBeChecked();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
});

test("FIND-05 a changed setting keeps its new value while it is being saved, even if the old value is read again", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/finds?view=settings");
  const noPhoto = page.getByRole("switch", { name: "No photo" });
  await page.getByText(settings.warnings.each).click();
  await expect(noPhoto).toBeChecked();
  const letGo = Promise.withResolvers<void>();
  await page.route(/\/find_settings\?/, async (route) => {
    if (route.request().method() !== "GET") await letGo.promise;
    await route.continue();
  });
  await noPhoto.uncheck();

  const client = await newClient(baseURL ?? "");
  await client.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  const read = page.waitForResponse((response) => /\/find_settings\?/.test(response.url()));
  await client.from("own_places").insert({ name: "Shared", latitude: 40.42, longitude: -3.7 });
  await read;
  await expect(page.getByRole("button", { name: "Change Shared" })).toBeVisible();
  await expect(noPhoto).not.toBeChecked();
  letGo.resolve();
  await expect(page.getByRole("region", { name: settings.warnings.title }).getByRole("status")).toHaveText(
    settings.saved,
  );
  await expect(noPhoto).not.toBeChecked();
});

/** Adds twelve homes in one zone, five in another and four in a third, as the watcher does. */
async function addHomes(): Promise<void> {
  const homes = [
    ...Array.from({ length: 12 }, (_, index) => ({
      ...RUZAFA,
      perM2: 11 + index / 4,
      areaM2: index < 5 ? 130 : 60,
    })),
    ...Array.from({ length: 5 }, () => ({ ...PLA, perM2: 20, areaM2: 60 })),
    ...Array.from({ length: 4 }, () => ({ ...GRAN_VIA, perM2: 30, areaM2: 60 })),
  ];
  await inDatabase(async (sql) => {
    const now = new Date();
    for (const [index, { placeId, perM2, areaM2 }] of homes.entries()) {
      const listing = { kind: "homes", operation: "rent", areaM2, municipality: "Valencia" };
      const id = `market-${index}`;
      await sql`
        insert into watch.portal_listings
          (listing_id, listing, card, price_eur, home_id, place_id, price_per_m2_eur, first_seen_at, last_seen_at)
        values (${id}, '{}', ${sql.json(listing)}, ${perM2 * areaM2}, ${id}, ${placeId}, ${perM2}, ${now}, ${now})`;
    }
    await refreshMarketFigures(sql, now);
  });
}

test("WEB-01 a message that was begun survives another page, another language and a reload (en, de)", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/finds?view=settings");
  const german = textsIn("de")["finds-settings"].message;
  const fields = page.getByLabel(settings.message.parts.who).or(page.getByLabel(german.parts.who));
  await fields.fill("Two teachers");
  await page.goto("/profile");
  await page.goBack();
  await expect(fields).toHaveValue("Two teachers");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await expect(page.getByText(german.unsaved)).toBeVisible();
  await expect(fields).toHaveValue("Two teachers");
  await page.reload();
  await expect(fields).toHaveValue("Two teachers");
});
