// The preview of what a link would find before it is saved, and links to unknown places.
import { expect, openWizard } from "../support/filter-page.ts";
import { inDatabase } from "../support/product-database.ts";
import { expectAccessible, test } from "../support/visitor.ts";

const linkTo = (path: string) =>
  `https://www.idealista.com/alquiler-viviendas/${path}/?ordenado-por=fecha-publicacion-desc`;

test("MANY-05 a link to a watched place shows how many listings match and the newest; if the request fails, there is no preview", async ({
  page,
  baseURL,
  outage,
}) => {
  const { form } = await openWizard(page, baseURL);
  const { preview, understood } = form.texts;
  const found = page.getByRole("region", { name: preview.title });
  // The demo search of the landing page watches Madrid soon after the start. Each link is requested only once, so try new ones.
  let price = 90_000;
  await expect(async () => {
    price -= 1_000;
    await form.url.fill(linkTo(`madrid-madrid/con-precio-hasta_${price}`));
    await expect(found).toContainText(
      /(\d listings? match(es)? now|We can't say yet how many listings match:)/,
    );
    expect(await found.textContent()).toMatch(/\d listings? match(es)? now[.,] .*week/);
  }).toPass({ timeout: 120_000 });
  await expect(found.getByRole("listitem").first()).toContainText(/€[\d,]+/);
  // Listings have our own titles, not the portal's.
  await expect(found).not.toContainText(/Piso|Ático|Casa|Estudio/);
  await expectAccessible(page);

  await outage.begin({ path: "/rest/v1/rpc/preview_search", status: 429 });
  await form.url.fill(linkTo("getafe-madrid"));
  await expect(page.getByText("Homes to rent in Getafe, Madrid", { exact: true })).toBeVisible();
  await expect.poll(() => outage.met()).toBe(1);
  await expect(found).toHaveCount(0);
  await expect(page.getByRole("link", { name: understood.open })).toBeVisible();
});

test("MANY-06 an unknown place is flagged, and one tap corrects the link if there is a similar name", async ({
  page,
  baseURL,
}) => {
  const { form } = await openWizard(page, baseURL);
  const flag = page.getByText("isn't in our list of places");
  const offer = page.getByRole("button", { name: "Did you mean" });
  await form.url.fill(linkTo("narnia"));
  await expect(flag).toContainText("Narnia");
  await expect(offer).toHaveCount(0);

  await form.url.fill(linkTo("madrid/chambery/con-ascensor"));
  await expect(flag).toContainText("Chambery, Madrid");
  await expectAccessible(page);
  await offer.click();
  await expect(form.url).toHaveValue(linkTo("madrid/chamberi/con-ascensor"));
  await expect(form.url).toBeFocused();
  await expect(
    page.getByText("Homes to rent in Chamberí, Madrid, with a lift", { exact: true }),
  ).toBeVisible();
  await expect(flag).toHaveCount(0);
  await expect(offer).toHaveCount(0);
});

test("CALM-07 the link of a listing leads to a search for similar homes, and this one can be watched too", async ({
  page,
  baseURL,
}) => {
  const { form, person } = await openWizard(page, baseURL);
  const { listing, refusals } = form.texts;
  // The demo search of the landing page has read Madrid.
  const readListing = async () =>
    (
      await inDatabase(
        (sql) => sql`
        select listing_id as id from watch.feed_listings join watch.portal_listings using (listing_id)
        where feed_listings.gone_at is null and listing ->> 'district' = 'Chamberí' and listing ->> 'rooms' = '2' limit 1`,
      )
    )[0]?.id;
  await expect.poll(readListing, { timeout: 120_000 }).toBeTruthy();
  const id = await readListing();
  await form.url.fill(`Mira: https://m.idealista.com/inmueble/${id}/?utm_source=app`);
  await expect(page.getByText(refusals["one-listing"].title, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: listing.watch }).click();
  await expect(page.getByText(listing.watched)).toBeVisible();
  expect(
    await inDatabase((sql) => sql`select listing_id, mark from public.marks where user_id = ${person.id}`),
  ).toEqual([{ listing_id: id, mark: "kept" }]);
  await expectAccessible(page);
  await page.getByRole("button", { name: listing.similar }).click();
  await expect(form.url).toHaveValue(
    /\/madrid\/chamberi\/.*con-precio-hasta_\d+,precio-desde_\d+,de-dos-dormitorios/,
  );
  await form.next.click();
  await expect(form.question).toHaveText(form.texts.chats.question);
});

test("CALM-07 START-03 for an unknown listing, or without a link, questions build the search (de)", async ({
  page,
  baseURL,
}) => {
  const { form } = await openWizard(page, baseURL, "de");
  const { listing, questions } = form.texts;
  await form.url.fill("https://www.idealista.com/inmueble/1/");
  await expect(page.getByText(listing.unknown)).toBeVisible();
  await page.getByRole("button", { name: questions.done }).click();
  await expect(page.getByText(questions.whereRequired)).toBeVisible();
  const where = page.getByRole("textbox", { name: questions.where });
  await where.fill("Atlantis");
  await expect(page.getByText(questions.whereUnknown)).toBeHidden();
  await where.blur();
  await expect(page.getByText(questions.whereUnknown)).toBeVisible();
  await where.fill("chamb");
  await page.getByRole("button", { name: "Chamberí, Madrid", exact: true }).click();
  await expect(where).toHaveValue("Chamberí, Madrid");
  await page.getByRole("radio", { name: questions.sale }).check();
  await page.getByRole("textbox", { name: questions.salePrice }).fill("350.000 €");
  await page.getByRole("checkbox", { name: "2" }).check();
  await page.getByRole("checkbox", { name: "3" }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: questions.done }).click();
  await expect(form.url).toHaveValue(
    "https://www.idealista.com/venta-viviendas/madrid/chamberi/con-precio-hasta_350000,de-dos-dormitorios,de-tres-dormitorios/?ordenado-por=fecha-publicacion-desc",
  );
  await form.url.fill("");
  await page.getByRole("button", { name: questions.noLink }).click();
  await where.fill("getafe");
  await where.press("Enter");
  await expect(where).toHaveValue("Getafe, Madrid");
  await where.press("Enter");
  await expect(form.url).toHaveValue(linkTo("getafe-madrid"));
});

test("EASY-01 START-03 a Russian types Мадрид and goes on with the button in reach, without choosing", async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { form } = await openWizard(page, baseURL, "ru");
  const { questions } = form.texts;
  await page.getByRole("button", { name: questions.noLink }).click();
  const where = page.getByRole("textbox", { name: questions.where });
  await where.fill("Мадрид");
  await expect(form.next).toBeHidden();
  await expect(page.getByRole("button", { name: "Madrid", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  const show = page.getByRole("button", { name: questions.done });
  await expect(show).toHaveCount(1);
  await expect(show).toBeInViewport({ ratio: 1 });
  await where.fill("Мадрd");
  await expect(page.getByText(questions.didYouMean)).toBeVisible();
  await where.fill("Ibiza");
  await show.click();
  await expect(page.getByText(questions.whereRequired)).toBeVisible();
  await expect(where).toBeFocused();
  await expectAccessible(page);
  await where.fill("мадрид чамбери");
  await expect(page.getByText(questions.whereRequired)).toBeHidden();
  await show.click();
  await expect(form.url).toHaveValue(linkTo("madrid/chamberi"));
  await expect(form.next).toBeVisible();
});
