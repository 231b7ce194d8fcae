// A tab that was opened before a deployment: a script of its build is gone, and the server's pages name another build.
import { expect, type Page } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { signIn, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { account, finds, auth, common } = textsIn("en");

/** Answers 404 for a script. Returns how often the document was loaded since. */
async function deploy(page: Page, goneScript: RegExp): Promise<() => number> {
  let loads = 0;
  await page.route(goneScript, (route) => route.fulfill({ status: 404 }));
  await page.route("**/assets/manifest-newbuild.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "" }),
  );
  await page.route(
    (url) => !url.pathname.includes(".") && !url.pathname.includes("/v1/"),
    async (route) => {
      if (route.request().resourceType() === "document") {
        loads += 1;
        await route.continue();
        return;
      }
      const answer = await route.fetch();
      const html = (await answer.text()).replaceAll(/manifest-\w+\.js/g, "manifest-newbuild.js");
      await route.fulfill({ response: answer, body: html });
    },
  );
  return () => loads;
}

test("CALM-02 after a deployment the page reloads once, with its address, its scroll position, an opened form and the typed text", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const homes = newCodes(6).map((id, place) => ({
    id,
    priceEur: 1_250_000,
    minutesAgo: 5 + place,
    street: `Calle de Prueba, ${place}`,
  }));
  await addFinds(person, homes);
  await signIn(page, person);
  await page.goto("/finds?order=price");
  const card = page.getByRole("article").filter({ hasText: "Prueba, 4" });
  await card.getByRole("button", { name: finds.actions.note }).click();
  await page.getByLabel(finds.note.label).fill("Ask about the lift");
  const scrollY = await page.evaluate<number>("window.scrollY");
  expect(scrollY).toBeGreaterThan(500);
  const loads = await deploy(page, /keys-dialog.*\.js/);
  await page.getByLabel(finds.note.label).blur();
  await page.keyboard.press("?");

  await expect.poll(loads).toBe(1);
  await expect(card.getByLabel(finds.note.label)).toHaveValue("Ask about the lift");
  await expect(page).toHaveURL("/finds?order=price");
  await expect.poll(() => page.evaluate<number>("window.scrollY")).toBeGreaterThan(scrollY - 200);
  // The new build lacks the script too: the page says so, and does not reload again.
  await page.getByLabel(finds.note.label).blur();
  await page.keyboard.press("?");
  await expect(page.locator("[data-part-failure=broken]")).toContainText(common.parts.broken);
  expect(loads()).toBe(1);
});

test("CALM-02 after such a reload the open dialog has the typed address, and never the password", async ({
  page,
}) => {
  // The page takes what was kept out of the storage as soon as it starts.
  await page.addInitScript("window.storedAtStart = JSON.stringify({ ...sessionStorage, ...localStorage })");
  await page.goto("/terms");
  await page.getByRole("button", { name: common.header.openMenu }).click();
  await page.getByRole("button", { name: common.header.signIn }).click();
  const dialog = page.getByRole("dialog");
  const email = dialog.getByLabel(auth.fields.email.label);
  const password = dialog.getByLabel(auth.fields.password.label, { exact: true });
  await page.route(/toaster.*\.js/, (route) => route.abort());
  await email.fill("nobody@example.com");
  await password.fill("a secret of mine");
  // A shown password is an ordinary text field to the browser.
  await dialog.getByRole("button", { name: auth.fields.password.show }).click();
  const loads = await deploy(page, /toaster.*\.js/);
  await dialog.getByRole("button", { name: auth.signIn.submit, exact: true }).click();

  await expect.poll(loads).toBe(1);
  await expect(email).toHaveValue("nobody@example.com");
  await expect(password).toHaveValue("");
  const stored = await page.evaluate<string>("window.storedAtStart");
  expect(stored).toContain("nobody@example.com");
  expect(stored).not.toContain("a secret of mine");
});

test("CALM-02 after such a reload an open dialog and a form in the place of its button are open again, with the typed text", async ({
  page,
  outage,
  baseURL,
}) => {
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.route(/toaster.*\.js/, (route) => route.abort());
  await page.goto("/profile");
  await page.getByRole("button", { name: account.name.edit }).click();
  const name = page.getByLabel(account.name.label);
  await name.fill("Ana Ruiz");
  await page.getByRole("button", { name: account.delete.open }).click();
  const dialog = page.getByRole("dialog");
  const word = dialog.getByLabel(account.delete.dialog.label);
  const password = dialog.getByLabel(account.delete.dialog.password, { exact: true });
  await word.fill("DEL");
  await password.fill("a secret of mine");
  const loads = await deploy(page, /toaster.*\.js/);
  await outage.begin({ path: "/rest/v1/rpc/export_my_data", status: 500 });
  await dialog.getByRole("button", { name: account.export.submit }).click();

  await expect.poll(loads).toBe(1);
  await expect(word).toHaveValue("DEL");
  await expect(password).toHaveValue("");
  await dialog.getByRole("button", { name: account.delete.dialog.cancel }).first().click();
  await expect(name).toHaveValue("Ana Ruiz");
});

for (const fault of ["404", "cut"] as const) {
  test(`CALM-01 a page whose first script is missing says so, and is there when the script is (${fault})`, async ({
    page,
    baseURL,
  }) => {
    await signIn(page, await signUp(baseURL ?? "", "Ana García"));
    const entry = /entry\.client.*\.js/;
    await page.route(entry, (route) => (fault === "cut" ? route.abort() : route.fulfill({ status: 404 })));
    await page.goto("/profile");
    const notice = page.locator("#start-failure");
    await expect(notice).toHaveText(common.parts.broken);
    // A public page can be read without it.
    await page.goto("/terms");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("button", { name: common.header.openMenu }).click();
    await expect(notice).toHaveText(common.parts.broken);
    await page.unroute(entry);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await expect(notice).toHaveCount(0);
    await page.getByRole("button", { name: common.header.openMenu }).click();
    await expect(page.getByRole("button", { name: common.header.signOut })).toBeVisible();
  });
}
