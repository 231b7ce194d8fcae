// The preview of what a link would find before it is saved, and links to unknown places.
import { expect, openWizard } from "../support/filter-page.ts";
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
