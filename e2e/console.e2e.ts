import { expect, test } from "@playwright/test";

const consoleUrl = `http://localhost:${Number(process.env.E2E_PORT || 3900) + 1}`;

test("the portal tab publishes a listing that a pasted search asks for, cuts its price and withdraws it", async ({
  page,
}) => {
  await page.goto(`${consoleUrl}/#portal`);
  const url = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400/";
  await page.getByLabel("Search URL").fill(url);
  await page.getByRole("button", { name: "Publish a match" }).click();
  await expect(page.getByRole("status")).toContainText("Trafalgar, Chamberí, Madrid");
  const listing = page.getByRole("article").first();
  await expect(listing).toContainText("Trafalgar, Chamberí, Madrid");
  await listing.getByRole("button", { name: "Cut price 5 %" }).click();
  await expect(listing).toContainText("(was €");
  await listing.getByRole("button", { name: "Withdraw" }).click();
  await expect(listing.getByRole("button", { name: "Bring back" })).toBeVisible();
});

test("the portal tab says why it cannot publish, and publishes nothing", async ({ page }) => {
  await page.goto(`${consoleUrl}/#portal`);
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.getByLabel("Search URL").fill("https://example.com/");
  await page.getByRole("button", { name: "Publish a match" }).click();
  await expect(page.getByRole("status")).not.toBeEmpty();
  await expect(page.getByRole("status")).not.toContainText("Published");
});

test("the mail tab shows a caught mail as it looks and as text, and its link works", async ({
  page,
  request,
  baseURL,
}) => {
  const { publishableKey } = await (await request.get("/config.json")).json();
  const headers = { apikey: publishableKey };
  const email = `console-${Date.now()}@example.com`;
  await request.post("/auth/v1/signup", { headers, data: { email, password: "violet-harbour-27" } });
  await request.post("/auth/v1/recover", { headers, data: { email } });

  await page.goto(`${consoleUrl}/#mail`);
  await page.getByRole("button", { name: email }).click();
  const link = page.frameLocator("iframe").getByRole("link").first();
  const opened = page.waitForEvent("popup");
  await link.click();
  expect((await opened).url().startsWith(`${baseURL}/`)).toBe(true);
  await page.getByRole("button", { name: "Plain text" }).click();
  await expect(page.locator("pre")).toContainText(`${baseURL}/`);
});

test("a page of another site cannot command the simulators", async ({ request }) => {
  const answer = await request.post(`${consoleUrl}/api/portal/faults`, {
    headers: { origin: "https://evil.example" },
    data: { fault: "down" },
  });
  expect(answer.status()).toBe(403);
});
