// A press shows that it was noticed, and after four seconds without an answer a sentence says so. The page's clock is the
// test's, so that nothing waits.
import { expect } from "@playwright/test";
import { addFinds, newCodes } from "../support/finds.ts";
import { holdBack } from "../support/hold-back.ts";
import { signIn, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { common, auth, landing } = textsIn("en");

test("CALM-03 a press shows at once that it is busy, and after 4 s without an answer the page says so", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/terms");
  await page.getByRole("button", { name: common.header.openMenu }).click();
  await page.getByRole("button", { name: common.header.signIn }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(auth.fields.email.label).fill("nobody@example.com");
  await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill("correct horse");
  const letGo = await holdBack(page, "**/auth/v1/token*");
  await page.clock.pauseAt(Date.now() + 60_000);
  await dialog.getByRole("button", { name: auth.signIn.submit, exact: true }).click();
  await page.clock.runFor(50);
  await expect(dialog.getByRole("button", { name: auth.signIn.submitting })).toBeVisible();
  await page.clock.runFor(3_850);
  await expect(page.getByText(common.parts.slow)).toHaveCount(0);
  await page.clock.runFor(200);
  await expect(page.getByText(common.parts.slow)).toBeVisible();
  letGo();
  await page.clock.resume();
  await expect(page.getByText(common.parts.slow)).toHaveCount(0);
});

test("CALM-03 with the server stopped, the call to action says so at once, and opens when the server is back", async ({
  page,
  outage,
}) => {
  await page.clock.install();
  await page.goto("/");
  await outage.begin({ path: "/", status: null });
  await page.getByRole("button", { name: landing.hero.cta }).first().click();
  const notice = page.getByRole("alert").filter({ hasText: common.parts.offline });
  await expect(notice).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  await outage.end();
  await expect
    .poll(async () => {
      await page.clock.runFor(10_000);
      return page.getByRole("dialog").count();
    })
    .toBe(1);
  await expect(notice).toHaveCount(0);
});

test("CALM-03 a pressed view of the finds looks chosen in the frame of the press, and stays so", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await addFinds(
    person,
    newCodes(2).map((id, n) => ({ id, priceEur: 1000, minutesAgo: n, street: "Calle" })),
  );
  await signIn(page, person);
  await page.goto("/finds");
  await expect(page.getByRole("article")).toHaveCount(2);
  // React renders an urgent change in the microtask after the press.
  const atOnce = await page.evaluate<string>(`(async () => {
    const link = document.querySelector('a[href$="view=market"]');
    window.seen = [];
    new MutationObserver(() => window.seen.push(link.getAttribute("aria-current"))).observe(link, { attributes: true });
    link.click();
    await Promise.resolve();
    return link.getAttribute("aria-current");
  })()`);
  expect(atOnce).toBe("page");
  await expect(page).toHaveURL(/view=market/);
  await expect(page.getByRole("article")).toHaveCount(0);
  expect(await page.evaluate<string[]>("window.seen")).toEqual(["page"]);
});
