import { expect, type FrameLocator, type Page } from "@playwright/test";
import { consoleUrl } from "../support/console.ts";
import { test } from "../support/visitor.ts";
import { newHunter } from "./app-hunter.ts";

test("MINI-04 MINI-05 the console opens the app in a frame and as on a phone, and is the client of both", async ({
  page,
  baseURL,
}) => {
  const name = `Ana ${crypto.randomUUID()}`;
  await newHunter(baseURL, name);
  await page.goto(`${consoleUrl}/#telegram`);
  await page.getByRole("button", { name }).click();
  const open = page.getByRole("button", { name: "☰" });
  const homeOpensAndGoesBack = async (app: Page | FrameLocator) => {
    const link = app.getByRole("link", { name: /Calle de Luchana/ });
    await link.first().click();
    await expect(app.getByRole("dialog")).toContainText("Calle de Luchana");
    await page.getByRole("button", { name: "‹ Back" }).click();
    await expect(app.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "‹ Back" })).toBeHidden();
  };
  await open.click();
  await homeOpensAndGoesBack(page.frameLocator("iframe.tg-app"));
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByLabel("apps open as on a phone").check();
  const popup = page.waitForEvent("popup");
  await open.click();
  const phone = await popup;
  await homeOpensAndGoesBack(phone);
  // Its own marks arrive from elsewhere too, as in any window.
  await phone.getByRole("button", { name: "Keep", exact: true }).first().click();
  await expect(phone.getByRole("button", { name: "Kept", exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => phone.isClosed()).toBe(true);
});
