// How tall pages are on a phone, in every language: what a person has to scroll before they have seen everything.
import { expect, type Page } from "@playwright/test";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { allPlaces } from "#core/places/places.ts";
import { refreshMarketFigures } from "#watcher/refresh-market-figures.ts";
import { signIn, signUp } from "./support/people.ts";
import { inDatabase } from "./support/product-database.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const MOST_PX = { landing: 5_700, rules: 1_800, market: 3_000 };
const BARCELONA = "0-EU-ES-08-13-001-019";

test.use({ viewport: { width: 390, height: 844 } });

/** Also of what the browser has not drawn yet, whose height it only guesses. */
const heightOf = (page: Page) =>
  page.evaluate<number>(`
    for (const part of document.querySelectorAll(".far-below")) part.style.contentVisibility = "visible";
    document.documentElement.scrollHeight`);

test.beforeEach(async ({ page }) => {
  await page.addInitScript("localStorage.setItem('cookieConsent', 'true')");
});

test("EASY-06 the landing page takes at most seven screens of a phone", { tag: "@long" }, async ({
  page,
}) => {
  const heights: Record<string, number> = {};
  for (const language of LANGUAGES) {
    await page.goto(localizedPath("/", language));
    await expect(page.getByRole("contentinfo")).toBeVisible();
    heights[language] = await heightOf(page);
  }
  console.log("landing", JSON.stringify(heights));
  expect(Math.max(...Object.values(heights))).toBeLessThanOrEqual(MOST_PX.landing);
});

test("EASY-02 the filter page with its rules open fits two screens", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const rules = [
    { on: "advertiser", is: "agency", act: "leave-out" },
    { on: "warning", kind: "seasonal", act: "leave-out" },
    { on: "words", are: "present", words: ["terraza"], act: "silent" },
  ];
  await inDatabase(
    (sql) => sql`
      insert into public.searches (user_id, filter_url, receiver_ids, rules)
      values (${person.id}, 'https://www.idealista.com/venta-garajes/soria-soria/', '{501}', ${sql.json(rules)})`,
  );
  const heights: Record<string, number> = {};
  for (const language of LANGUAGES) {
    const { filter, rules: texts } = textsIn(language);
    await page.goto(localizedPath("/filter-settings", language));
    await page.getByRole("button", { name: filter.folds.rules }).click();
    await expect(page.getByRole("button", { name: texts.add })).toBeVisible();
    await page.waitForLoadState("networkidle");
    if (language === "ru")
      await page.screenshot({ path: test.info().outputPath("rules.png"), fullPage: true });
    heights[language] = await heightOf(page);
  }
  console.log("rules", JSON.stringify(heights));
  expect(Math.max(...Object.values(heights))).toBeLessThanOrEqual(MOST_PX.rules);
});

test("EASY-06 the market of a whole city begins with the person's own areas, and is short", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const zones = [...allPlaces()].map(({ id }) => id).filter((id) => id.startsWith(`${BARCELONA}-`));
  expect(zones.length).toBeGreaterThan(50);
  await inDatabase(async (sql) => {
    const now = new Date();
    const homes = zones.flatMap((placeId, zone) =>
      Array.from({ length: 6 }, (_, home) => ({
        id: `tall-${zone}-${home}`,
        placeId,
        perM2: 12 + (zone % 9) + home / 4,
      })),
    );
    await sql`
      insert into watch.portal_listings
        (listing_id, listing, card, price_eur, home_id, place_id, price_per_m2_eur, first_seen_at, last_seen_at)
      select id, '{}', '{"kind": "homes", "operation": "rent", "areaM2": 60, "municipality": "Barcelona"}',
        "perM2" * 60, id, "placeId", "perM2", ${now}, ${now}
      from jsonb_to_recordset(${sql.json(homes)}) as home (id text, "placeId" text, "perM2" float8)
      on conflict do nothing`;
    await sql`
      insert into public.searches (user_id, filter_url, receiver_ids)
      values (${person.id}, 'https://www.idealista.com/alquiler-viviendas/barcelona/gracia/', '{501}')`;
    await refreshMarketFigures(sql, now);
  });
  const heights: Record<string, number> = {};
  for (const language of LANGUAGES) {
    await page.goto(localizedPath(`/finds?view=market&town=${BARCELONA}&operation=rent`, language));
    await expect(page.getByRole("table").first()).toBeVisible();
    heights[language] = await heightOf(page);
  }
  console.log("market", JSON.stringify(heights));
  expect(Math.max(...Object.values(heights))).toBeLessThanOrEqual(MOST_PX.market);
});
