// A tab that was opened before a deployment: a script of its build is gone, and the server's pages name another build.
import { expect, type Page } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { signIn, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { finds, common } = textsIn("en");

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

test("CALM-02 WEB-01 after a deployment the page stays as it is, offers the new version in a bar, and loads it by one press", async ({
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
  const loads = await deploy(page, /keys-dialog.*\.js/);
  await page.getByLabel(finds.note.label).blur();
  await page.keyboard.press("?");

  await expect(page.locator("[data-part-failure=broken]")).toContainText(common.parts.broken);
  const reload = page.getByRole("button", { name: common.parts.newVersion });
  await expect(reload).toBeVisible();
  await expect(card.getByLabel(finds.note.label)).toHaveValue("Ask about the lift");
  expect(loads()).toBe(0);
  await card.getByRole("button", { name: finds.note.save }).click();
  await expect(card).toContainText("Ask about the lift");
  await reload.click();
  await expect.poll(loads).toBe(1);
  await expect(page).toHaveURL("/finds?order=price");
  await expect(card).toContainText("Ask about the lift");
});

test("WEB-06 a crash stays inside its page: the frame is there, and another page opens", async ({
  page,
  baseURL,
}) => {
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  // An answer of a form that the page does not expect is a mistake of ours.
  await page.route("**/rpc/my_sessions", (route) => route.fulfill({ json: { sessions: "none" } }));
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: common.crash.title })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: common.header.openMenu }).click();
  await page.getByRole("navigation").getByRole("link", { name: common.header.finds }).click();
  await expect(page.getByRole("heading", { name: finds.title, level: 1 })).toBeVisible();
});

test("CALM-02 a person who comes back to a tab after an hour is offered the new version, and may decline", {
  tag: "@long",
}, async ({ page }) => {
  await page.clock.install();
  await page.goto("/terms");
  await page.getByRole("button", { name: common.header.openMenu }).click();
  await expect(page.getByRole("button", { name: common.header.signIn })).toBeVisible();
  await deploy(page, /nothing-is-missing/);
  const comeBack = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  const reload = page.getByRole("button", { name: common.parts.newVersion });
  await page.clock.fastForward("00:59:00");
  await comeBack();
  await page.clock.fastForward("00:02:00");
  await expect(reload).toHaveCount(0);
  await comeBack();
  await expect(reload).toBeVisible();
  await expectAccessible(page);
  await page.locator("[data-new-version]").getByRole("button", { name: common.dialog.close }).click();
  await expect(reload).toHaveCount(0);
});

for (const fault of ["404", "cut"] as const) {
  test(`CALM-01 a page whose first script is missing says so, and is there when the script is (${fault})`, {
    tag: fault === "404" ? [] : "@long",
  }, async ({ page, baseURL }) => {
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
