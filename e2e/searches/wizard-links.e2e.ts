// What the first step of the wizard makes of a pasted link.
import { HOSTILE_URLS } from "#test/fixtures/hostile-urls.ts";
import { CHAMBERI, expect, filterOf, MADRID, openWizard, SHARED } from "../support/filter-page.ts";
import { expectAccessible, test } from "../support/visitor.ts";

const REPAIRS = ["share-text", "https", "added-www", "page-number", "tracking", "sort-order"];

test("WIZ-09 WIZ-10 LINK-01 the form sums up the search in one sentence and lists each repair of the link (en)", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openWizard(page, baseURL, "en");
  await form.url.fill(SHARED);
  const sentence = "Homes to rent in Chamberí, Madrid, up to €1,500, with a lift";
  await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  const area = page.locator("figure img");
  await expect(area).toBeVisible();
  expect((await area.boundingBox())?.height).toBeLessThanOrEqual(96);
  for (const code of REPAIRS) await expect(page.getByText(form.texts.repairs[code])).toBeVisible();
  const saved =
    "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,ascensor/?ordenado-por=fecha-publicacion-desc";
  await expect(page.getByRole("link", { name: form.texts.understood.open })).toHaveAttribute("href", saved);
  const shown = page.getByText(saved, { exact: true });
  await expect(shown).toBeHidden();
  await page.getByRole("button", { name: form.texts.link.show }).click();
  await expect(shown).toBeVisible();
  await form.url.press("Enter");
  await form.ids.fill("5");
  await form.ids.press("Enter");
  await form.save.press("Enter");
  await expect(form.saveChanges).toBeVisible();
  expect(await filterOf(person)).toEqual({ url: saved, ids: ["5"] });
});

test("WIZ-02 U01-U38 a link that is not a search is refused with what to do instead, and hostile links are refused or repaired (en)", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openWizard(page, baseURL, "en");
  const site = "https://www.idealista.com/";
  const cases = {
    "one-development": `${site}obra-nueva/98765432/`,
    agency: `${site}pro/una-agencia/`,
    "home-page": `${site}es/`,
    "zone-picker": `${site}alquiler-viviendas/madrid-madrid/mapa`,
    "no-place": `${site}alquiler-viviendas/`,
    "not-a-search": `${site}ayuda/`,
    "broken-shape": `${site}areas/alquiler-viviendas/?shape=%28%28abc`,
    "other-country": "https://www.idealista.pt/comprar-casas/lisboa/",
    "other-site": "https://www.fotocasa.es/",
    "not-a-url": "Chamberí, 2 habitaciones",
    "unsafe-url": "https://ana:secreto@www.idealista.com/",
  };
  for (const [reason, url] of Object.entries(cases)) {
    await form.url.fill(url);
    await expect(page.getByText(form.texts.refusals[reason].title, { exact: true })).toBeVisible();
    await expect(page.getByText(form.texts.refusals[reason].text, { exact: true })).toBeVisible();
  }

  await form.next.click();
  for (const [name, url, answer] of HOSTILE_URLS) {
    // These characters cannot be typed or pasted into a field.
    if (/[\0\ud800]/.test(url)) continue;
    await form.url.fill(url);
    if (answer === "repaired") {
      await expect(page.getByRole("link", { name: form.texts.understood.open }), name).toHaveAttribute(
        "href",
        MADRID,
      );
    } else {
      await expect(form.url, name).toHaveAccessibleDescription(form.texts.url.invalid);
      await form.next.click();
      await expect(form.progress, name).toHaveAttribute("aria-valuenow", "33");
    }
  }
  expect(await filterOf(person)).toBeUndefined();

  // A link is read from pasted text of several lines, and a link split over two lines is refused.
  const paste = async (text: string) => {
    await form.url.selectText();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    })()`);
  };
  await paste(`Look at these\n${CHAMBERI}\nsent from my phone`);
  await expect(page.getByRole("link", { name: form.texts.understood.open })).toHaveAttribute(
    "href",
    CHAMBERI,
  );
  await paste("https://www.idealista.com/alquiler-viviendas/madrid/chamberi/\ncon-precio-hasta_1500/");
  await expect(page.getByText(form.texts.refusals["split-link"].title)).toBeVisible();
});

test("WIZ-10 a search that no source can watch cannot be saved, and the form says what to change", async ({
  page,
  baseURL,
}) => {
  await page.route("**/config.json", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), searchByUrl: false } });
  });
  const { form } = await openWizard(page, baseURL);
  await form.url.fill("https://www.idealista.com/multi/venta-viviendas/a1b,zz9/con-lujo/");
  await expect(page.getByText("We can't read areas picked one by one.")).toBeVisible();
  // What else could be said of it does not matter then.
  await expect(page.getByText("“luxury”: only some listings mention this")).toHaveCount(0);
  await form.next.click();
  await expect(form.url).toHaveAccessibleDescription(form.texts.url.blocked);
  await expectAccessible(page);
});
