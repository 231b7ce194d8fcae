import { expect, type Page } from "@playwright/test";
import { consoleUrl, mailTo } from "./support/console.ts";
import { newClient, signUp } from "./support/people.ts";
import { test } from "./support/visitor.ts";

/** Sends a reset mail to a new user and returns the address. */
async function sendMail(baseURL = ""): Promise<string> {
  const { email } = await signUp(baseURL, "Ana García");
  const { error } = await (await newClient(baseURL)).auth.resetPasswordForEmail(email);
  expect(error).toBeNull();
  await mailTo(email);
  return email;
}

test("the portal tab publishes a listing that matches a pasted search, cuts its price and withdraws it", async ({
  page,
}) => {
  await page.goto(`${consoleUrl}/#portal`);
  const url = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400/";
  await page.getByLabel("Search URL").fill(url);
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByRole("button", { name: "Publish a match" }).click();
  await expect(page.getByRole("status")).toContainText("Trafalgar, Chamberí, Madrid");
  // Other tests publish at the same time, so this listing may not be the newest.
  const { listings } = await (await answered).json();
  const listing = page.getByRole("article").filter({ hasText: listings[0].code });
  await expect(listing).toContainText("Trafalgar, Chamberí, Madrid");
  await listing.getByRole("button", { name: "Cut price 5 %" }).click();
  await expect(listing).toContainText("(was €");
  await listing.getByRole("button", { name: "Withdraw" }).click();
  await expect(listing.getByRole("button", { name: "Bring back" })).toBeVisible();
});

test("the portal tab says why it cannot publish, and publishes nothing", { tag: "@long" }, async ({
  page,
}) => {
  await page.goto(`${consoleUrl}/#portal`);
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.getByLabel("Search URL").fill("https://example.com/");
  await page.getByRole("button", { name: "Publish a match" }).click();
  await expect(page.getByRole("status")).not.toBeEmpty();
  await expect(page.getByRole("status")).not.toContainText("Published");
});

test("MAIL-01 MAIL-07 the portal mails the matches of a saved search until it is stopped, and Gmail asks to forward", async ({
  page,
}) => {
  const email = `${crypto.randomUUID()}@example.com`;
  await page.goto(`${consoleUrl}/#portal`);
  const url = "https://www.idealista.com/venta-viviendas/madrid/chamberi/almagro/con-precio-hasta_700000/";
  await page.getByLabel("Search to save").fill(url);
  await page.getByLabel("E-mail for its alerts").fill(email);
  await page.getByRole("button", { name: "Save search" }).click();
  const saved = page.locator(".row").filter({ hasText: email });
  await expect(saved).toContainText("almagro");
  await page.getByLabel("Search URL").fill(url);
  await page.getByRole("button", { name: "Publish a match" }).click();
  expect((await mailTo(email)).subject).toMatch(/^¡Nuevo .+ en tu búsqueda: chamberi almagro!$/);
  await saved.getByRole("button", { name: "Stop" }).click();
  await expect(saved).toHaveCount(0);

  const asked = `${crypto.randomUUID()}@example.com`;
  await page.goto(`${consoleUrl}/#mail`);
  await page.getByLabel("Address to forward to").fill(asked);
  await page.getByRole("button", { name: "Let Gmail ask" }).click();
  expect((await mailTo(asked)).subject).toContain("Gmail Forwarding Confirmation");
});

/** Beside the mail of its sign-up. */
const mailIn = (page: Page, email: string) =>
  page.getByRole("button", { name: email }).filter({ hasText: "Set a new password" });

test("the mail tab shows a caught mail as HTML and as plain text, and its link works", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const email = await sendMail(baseURL);
  await page.goto(`${consoleUrl}/#mail`);
  await mailIn(page, email).click();
  const link = page.frameLocator("iframe").getByRole("link").first();
  const opened = page.waitForEvent("popup");
  await link.click();
  await (await opened).waitForURL((url) => url.origin === baseURL);
  await page.getByRole("button", { name: "Plain text" }).click();
  await expect(page.locator("pre")).toContainText(`${baseURL}/`);
});

test("a new mail does not change the selection, the view or the focus of the open one", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const email = await sendMail(baseURL);
  await page.goto(`${consoleUrl}/#mail`);
  const entry = mailIn(page, email);
  await entry.click();
  await page.getByRole("button", { name: "Plain text" }).click();
  await entry.focus();
  const arrived = await sendMail(baseURL);
  await expect(mailIn(page, arrived)).toBeVisible();
  await expect(page.getByRole("article")).toContainText(email);
  await expect(page.locator("pre")).toBeVisible();
  await expect(entry).toHaveAttribute("aria-pressed", "true");
  await expect(entry).toBeFocused();
});

test("the portal tab keeps the focus and the typed text when it reloads its listings", {
  tag: "@long",
}, async ({ page }) => {
  await page.clock.install();
  await page.goto(`${consoleUrl}/#portal`);
  const url = page.getByLabel("Search URL");
  await url.fill("half a link");
  await page.getByRole("button", { name: "captcha" }).focus();
  const loaded = page.waitForResponse((answer) => answer.url().includes("/api/portal/listings"));
  await page.clock.runFor(5_000);
  await (await loaded).finished();
  await page.clock.runFor(100);
  await expect(page.getByRole("button", { name: "captcha" })).toBeFocused();
  await expect(url).toHaveValue("half a link");
});

test("the Telegram tab keeps the message being typed while others arrive", { tag: "@long" }, async ({
  page,
  request,
}) => {
  const order = { firstName: `Zoe ${Date.now()}-${test.info().repeatEachIndex}` };
  const made = await request.post(`${consoleUrl}/api/telegram/people`, { data: order });
  const { person } = await made.json();
  await page.goto(`${consoleUrl}/#telegram`);
  await page.getByRole("button", { name: order.firstName }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const line = page.getByRole("textbox", { name: "Message" });
  await line.pressSequentially("half a sen");
  const data = { chatId: person.id, text: "from elsewhere" };
  expect((await request.post(`${consoleUrl}/api/telegram/people/${person.id}/say`, { data })).ok()).toBe(
    true,
  );
  await expect(page.getByRole("log")).toContainText("from elsewhere");
  await expect(line).toBeFocused();
  await page.keyboard.type("tence");
  await expect(line).toHaveValue("half a sentence");
});

test("the Telegram tab does not show a person's chat if another person was selected while it loaded", {
  tag: "@long",
}, async ({ page, request }) => {
  const newPerson = async (name: string) => {
    const data = { firstName: `${name} ${Date.now()}-${test.info().repeatEachIndex}` };
    const made = await request.post(`${consoleUrl}/api/telegram/people`, { data });
    return { ...data, id: (await made.json()).person.id };
  };
  const [one, other] = [await newPerson("Uma"), await newPerson("Vera")];
  const holdView = async (personId: number) => {
    const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(`**/api/telegram/chats/*?as=${personId}`, async (route) => {
      asked.resolve();
      await letGo.promise;
      await route.continue();
    });
    return { asked: asked.promise, letGo: letGo.resolve };
  };
  const views = { one: await holdView(one.id), other: await holdView(other.id) };
  const start = page.getByRole("button", { name: "Start", exact: true });
  await page.goto(`${consoleUrl}/#telegram`);
  await page.getByRole("button", { name: one.firstName }).click();
  await views.one.asked;
  await page.getByRole("button", { name: other.firstName }).click();
  views.one.letGo();
  // The second view is requested after the first has loaded.
  await views.other.asked;
  await expect(start).toHaveCount(0);
  views.other.letGo();
  await expect(start).toBeVisible();
});

test("the Google tab keeps a half-typed address while a setting is changed", { tag: "@long" }, async ({
  page,
}) => {
  await page.goto(`${consoleUrl}/#google`);
  const email = page.getByLabel("E-mail of one more");
  await email.fill("half@");
  // Keep the fault from the simulator: other tests are signing in with it.
  const requested = page.waitForRequest("**/api/google/fault");
  await page.route("**/api/google/fault", (route) => route.fulfill({ status: 204 }));
  await page.getByLabel("What goes wrong with the next sign-in").selectOption("Google refuses");
  await requested;
  await page.getByRole("heading", { name: "People with a Google account" }).click();
  await expect(email).toHaveValue("half@");
});

test("a page of another site cannot control the simulators", async ({ request }) => {
  const answer = await request.post(`${consoleUrl}/api/portal/faults`, {
    headers: { origin: "https://evil.example" },
    data: { fault: "down" },
  });
  expect(answer.status()).toBe(403);
});
