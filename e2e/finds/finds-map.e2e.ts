// The map of finds: usable with the keyboard, and without requests to other servers.
import { expect } from "../support/filter-page.ts";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { signIn, signUp } from "../support/people.ts";
import { collectProblems } from "../support/problems.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

const { finds, map } = textsIn("en");
const codes = newCodes(12);

test("FIND-02 MAP-01 MAP-04 the map, its list and a find can be used with the keyboard only, without requests to other servers", async ({
  page,
  baseURL,
}) => {
  const problems = collectProblems(page);
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  await addFinds(
    person,
    codes.map((id, place) => ({
      id,
      priceEur: 300_000 + place,
      minutesAgo: 10 + place,
      street: `Calle de Prueba, ${place}`,
    })),
  );
  // The first two have no coordinates: they only highlight their zone.
  await inDatabase(async (sql) => {
    await sql`update watch.portal_listings
      set card = card || jsonb_build_object(
        'latitude', 40.437 + random() / 200, 'longitude', -3.713 + random() / 200, 'isAddressShown', listing_id <> ${codes[3] ?? ""})
      where listing_id = any(${codes.slice(2)})`;
  });
  await signIn(page, person);
  await page.goto("/finds?view=map");
  const city = page.getByRole("application", { name: "Map: Madrid, 12 homes" });
  await expect(city).toBeVisible();
  await expect(
    page.getByRole("link", { name: /idealista18 \(Rey, Arbues, Lopez, Paez\), ODbL 1\.0/ }),
  ).toBeVisible();
  const scale = page.getByText(/^\d+\sk?m$/);
  const before = await scale.innerText();
  await expectAccessible(page);

  await city.focus();
  for (const key of ["ArrowRight", "ArrowDown", "+", "+", "+"]) await page.keyboard.press(key);
  await expect(scale).not.toHaveText(before);
  const zone = page.getByRole("button", { name: /^Gaztambide/ });
  await expect(zone).toContainText("12 homes");
  // The list follows the map: what leaves it is still there, under a heading of its own.
  const outside = page.getByRole("heading", { name: map.outside });
  await expect(outside).toHaveCount(0);
  for (let step = 0; step < 14; step += 1) await page.keyboard.press("ArrowRight");
  await expect(outside).toBeVisible();
  await expect(zone).toBeVisible();
  await page.keyboard.press("0");
  await expect(outside).toHaveCount(0);
  await expect(scale).toHaveText(before);
  for (let stop = 0; stop < 10 && (await zone.and(page.locator(":focus")).count()) === 0; stop += 1) {
    await page.keyboard.press("Tab");
  }
  await expect(zone).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Homes: Gaztambide" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: `€300,000 ${map.noPoint}` })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: `€300,003 ${map.approximate}` })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("button", { name: "€300,002" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`home=${codes[2]}`));
  await expect(page.getByRole("dialog")).toContainText("Calle de Prueba, 2");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: finds.actions.hide, exact: true }).click();
  await expect(page.getByRole("application", { name: "Map: Madrid, 11 homes" })).toBeVisible();
  const { supabaseUrl } = await (await page.request.get("/config.json")).json();
  const ours = [baseURL ?? "", new URL(supabaseUrl, baseURL)].map((url) => new URL(url).host);
  expect(hosts).toEqual(new Set(ours));
  expect(problems).toEqual([]);
});
