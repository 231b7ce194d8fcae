import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import type postgres from "postgres";
import { localizedPath } from "#core/languages.ts";
import { type Person, signIn, signUp } from "./support/people.ts";
import { collectProblems } from "./support/problems.ts";
import { connectToProduct } from "./support/product-database.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const DEMO_FILTER = "00000000-0000-4000-8000-000000000001";
const DEMO_ROWS = "**/rest/v1/demo_listings*";

let sql: postgres.Sql;
test.beforeAll(async () => {
  sql = await connectToProduct();
});
test.afterAll(() => sql.end());

const chat = (page: Page, language: "en" | "es" | "ru" = "en"): Locator =>
  page.getByRole("region", { name: textsIn(language).landing.demo.label });

/** The text with plain spaces instead of no-break spaces. */
async function textOf(locator: Locator): Promise<string> {
  return (await locator.innerText()).replaceAll(/[\u00a0\u202f]/g, " ");
}

async function addListing(person: Person, minutesAgo: number, details: postgres.JSONValue): Promise<void> {
  await sql`insert into public.listings (listing_id, user_id, created_at, details)
    values (${randomUUID()}, ${person.id}, now() - make_interval(mins => ${minutesAgo}), ${sql.json(details)})`;
}

test("DEMO-03 DEMO-05 without demo rows a guest sees the sample, labelled as such (en, ru)", async ({
  page,
}) => {
  await page.route(DEMO_ROWS, (route) => route.fulfill({ json: [] }));
  const expected = {
    en: [
      "€850 · 16 m²",
      "€3,000 · 105 m² · 3 bedrooms",
      "€1,449 · 27 m² · 1 bedroom",
      "Just now",
      "10 min ago",
    ],
    ru: ["850 € · 16 м²", "3 000 € · 105 м² · 3 спальни", "1 449 € · 27 м² · 1 спальня", "Только что"],
  };
  for (const language of ["en", "ru"] as const) {
    const { demo } = textsIn(language).landing;
    await page.goto(localizedPath("/", language));
    await expect(chat(page, language)).toContainText(demo.statusSample);
    await expect(chat(page, language).getByRole("article")).toHaveCount(3);
    const shown = await textOf(chat(page, language));
    for (const text of expected[language]) expect(shown).toContain(text);
    for (const sample of Object.values<{ title: string }>(demo.samples))
      expect(shown).toContain(sample.title);
  }
});

test("DEMO-04 if the listings cannot be fetched, the sample is shown and the error is logged (en)", async ({
  page,
}) => {
  const problems = collectProblems(page);
  await page.route(DEMO_ROWS, (route) => route.fulfill({ status: 503, json: { message: "down" } }));
  await page.goto("/");
  await expect(chat(page)).toContainText(textsIn("en").landing.demo.statusSample);
  await expect.poll(() => problems.join("\n")).toContain("The latest listings could not be loaded");
});

test("DEMO-01 DEMO-02 TRUE-04 a user without listings sees the empty state, and without a search a link to set one up (es)", async ({
  page,
  baseURL,
}) => {
  const { demo } = textsIn("es").landing;
  const ana = await signUp(baseURL ?? "", "Ana");
  await signIn(page, ana);
  await page.goto("/es");
  await expect(chat(page, "es")).toContainText(demo.noSearchTitle);
  await expect(chat(page, "es").getByRole("link", { name: demo.noSearchAction })).toHaveAttribute(
    "href",
    "/es/filter-settings",
  );
  await sql`insert into filter_settings (user_id, filter_url, receiver_ids)
    values (${ana.id}, 'https://www.idealista.com/alquiler-viviendas/soria-provincia/', '{5}')`;
  await page.reload();
  await expect(chat(page, "es")).toContainText(demo.emptyTitle);
  await expect(chat(page, "es").getByRole("link", { name: demo.emptyAction })).toHaveAttribute(
    "href",
    "/es/filter-settings",
  );
});

test("DEMO-01 LAND-04 loading the listings does not change the size of the chat", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(DEMO_ROWS, async (route) => {
    await held.promise;
    await route.fulfill({ json: [] });
  });
  await page.goto("/");
  await expect(chat(page)).toContainText("Looking for the latest listings");
  const before = await chat(page).boundingBox();
  held.resolve();
  await expect(chat(page).getByRole("article")).toHaveCount(3);
  expect(await chat(page).boundingBox()).toEqual(before);
});

test("DEMO-04 with the whole API down the page still works and shows the sample (es)", {
  tag: "@long",
}, async ({ page }) => {
  await page.route(/\/(config\.json|rest\/|auth\/|realtime\/)/, (route) => route.abort());
  await page.goto("/es");
  await expect(chat(page, "es").getByRole("article")).toHaveCount(3);
  await expect(
    page.getByRole("button", { name: textsIn("es").common.header.signIn, exact: true }),
  ).toBeVisible();
});

test("DEMO-03 LAND-04 a guest sees the five newest rows of the demo filter, newest first, with links", async ({
  page,
}) => {
  const ids = Array.from({ length: 6 }, () => randomUUID());
  for (const [age, id] of ids.entries()) {
    // In the future, so that no row that the product adds during the test is newer.
    await sql`insert into public.demo_listings (demo_id, filter_id, created_at, details) values (${id}, ${DEMO_FILTER},
      now() + make_interval(mins => ${60 - age}),
      ${sql.json({ title: `Flat ${age}`, price: 1000 + age, size: 50, location: "Madrid", url: `https://www.idealista.com/inmueble/${age}/` })})`;
  }
  await page.goto("/");
  await expect(chat(page)).toContainText("Live from a search in Madrid");
  await expect(chat(page).getByRole("article").getByRole("heading")).toHaveText([
    "Flat 0",
    "Flat 1",
    "Flat 2",
    "Flat 3",
    "Flat 4",
  ]);
  const link = chat(page).getByRole("link", { name: "Open on Idealista · Flat 0" });
  await expect(link).toHaveAttribute("href", "https://www.idealista.com/en/inmueble/0/");
  await sql`delete from public.demo_listings where demo_id in ${sql(ids)}`;
});

test("DEMO-02 DEMO-08 a signed-in user sees their own latest listings with their age (en, ru)", async ({
  page,
  baseURL,
}) => {
  const [ana, bob] = await Promise.all([signUp(baseURL ?? "", "Ana"), signUp(baseURL ?? "", "Bob")]);
  for (const [title, minutesAgo] of [
    ["Now", 0],
    ["Minutes", 59],
    ["Hours", 60],
    ["Late", 1439],
    ["Days", 2880],
  ] as const) {
    await addListing(ana, minutesAgo, { title, price: "1.449 €" });
  }
  await addListing(bob, 0, { title: "Not Ana's" });
  // However long the pages take, the ages stay.
  await page.clock.setFixedTime(new Date());
  await signIn(page, ana);
  const labels = {
    en: ["Just now", "59 min ago", "1 hour ago", "23 hours ago", "2 days ago"],
    ru: ["Только что", "59 мин назад", "1 час назад", "23 часа назад", "2 дня назад"],
  };
  for (const language of ["en", "ru"] as const) {
    await page.goto(localizedPath("/", language));
    const articles = chat(page, language).getByRole("article");
    await expect(articles.getByRole("heading")).toHaveText(["Now", "Minutes", "Hours", "Late", "Days"]);
    await expect(articles.locator("time")).toHaveText(labels[language]);
  }
});

test("DEMO-08 the age labels are updated while the page is open", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const ana = await signUp(baseURL ?? "", "Ana");
  await addListing(ana, 0, { title: "Flat" });
  await signIn(page, ana);
  await page.clock.install();
  await page.goto("/");
  const label = chat(page).locator("time");
  await expect(label).toHaveText("Just now");
  await page.clock.runFor(5 * 60_000);
  await expect(label).toHaveText("5 min ago");
  await page.clock.runFor(60 * 60_000);
  await expect(label).toHaveText("1 hour ago");
});

test("DEMO-07 rows without any field, with HTML or with a script link are shown safely", async ({ page }) => {
  const html = '<img src=x onerror="window.hacked=1"><b>Bold</b>';
  await page.route(DEMO_ROWS, (route) =>
    route.fulfill({
      json: [
        { id: "1", created_at: new Date().toISOString(), details: {} },
        {
          id: "2",
          created_at: null,
          details: { title: html, location: html, price: html, size: html, url: "javascript:alert(1)" },
        },
        { id: "3", created_at: "nonsense", details: null },
        {
          id: "4",
          created_at: new Date().toISOString(),
          details: { title: "x".repeat(5000), url: "https://elsewhere.example/1" },
        },
      ],
    }),
  );
  await page.goto("/");
  const articles = chat(page).getByRole("article");
  await expect(articles).toHaveCount(4);
  for (const text of [
    "Property listing",
    "Price on request",
    "Size not specified",
    "Location not specified",
  ]) {
    await expect(articles.first()).toContainText(text);
    await expect(articles.nth(2)).toContainText(text);
  }
  await expect(articles.nth(1)).toContainText("<b>Bold</b>");
  expect(await page.evaluate<boolean>("'hacked' in window")).toBe(false);
  await expect(chat(page).getByRole("link")).toHaveCount(1);
  await expect(chat(page).getByRole("link")).toHaveText("Open the listing");
  const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
  expect(overflow).toBeLessThanOrEqual(0);
});

test("LAND-04 a listing with long words causes no layout shift and no overflow on a phone", {
  tag: "@long",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const details = {
    title: "Piso en Calle de Nuestra Señora de las Mercedes y San Bartolomé",
    price: 1250,
    size: "58 m²",
    location: "Nuevos Ministerios-Ríos Rosas, Chamberí, Comunidad de Madrid",
    url: "https://www.idealista.com/inmueble/1/",
  };
  await page.route(DEMO_ROWS, (route) =>
    route.fulfill({ json: [{ id: "1", created_at: new Date().toISOString(), details }] }),
  );
  await page.addInitScript(`window.shifted = 0;
    new PerformanceObserver((list) => { for (const shift of list.getEntries()) window.shifted += shift.value; })
      .observe({ type: "layout-shift", buffered: true });`);
  await page.goto("/es");
  await expect(chat(page, "es").getByRole("article")).toContainText(details.title);
  const box = await chat(page, "es").boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  expect(await page.evaluate<number>("window.shifted")).toBeLessThan(0.02);
});

test("DEMO-07 the fallback texts are translated (es)", { tag: "@long" }, async ({ page }) => {
  await page.route(DEMO_ROWS, (route) =>
    route.fulfill({ json: [{ id: "1", created_at: "2026-01-01", details: {} }] }),
  );
  await page.goto("/es");
  const { demo } = textsIn("es").landing;
  for (const text of [demo.title, demo.price, demo.size, demo.location]) {
    await expect(chat(page, "es").getByRole("article")).toContainText(text);
  }
});

test("DEMO-06 a sign-in in another tab switches the demo to the user's own listings, a sign-out switches back", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const ana = await signUp(baseURL ?? "", "Ana");
  await addListing(ana, 1, { title: "Ana's flat" });
  await page.route(DEMO_ROWS, (route) => route.fulfill({ json: [] }));
  await page.goto("/");
  await expect(chat(page)).toContainText(textsIn("en").landing.demo.statusSample);
  const other = await page.context().newPage();
  await signIn(other, ana);
  await expect(chat(page).getByRole("heading", { name: "Ana's flat" })).toBeVisible();
  await other.close();
  await page.getByRole("banner").getByRole("button", { name: /Ana/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(chat(page)).toContainText(textsIn("en").landing.demo.statusSample);
});

test("DEMO-06 a user's own new listing appears without a reload, another user's does not", async ({
  page,
  baseURL,
}) => {
  const [ana, bob] = await Promise.all([signUp(baseURL ?? "", "Ana"), signUp(baseURL ?? "", "Bob")]);
  await addListing(ana, 5, { title: "Old flat" });
  await signIn(page, ana);
  const subscribed = page
    .waitForEvent("websocket")
    .then((socket) =>
      socket.waitForEvent("framereceived", ({ payload }) => /Subscribed to PostgreSQL/.test(String(payload))),
    );
  await page.goto("/");
  await expect(chat(page).getByRole("heading", { name: "Old flat" })).toBeVisible();
  await subscribed;
  await addListing(bob, 0, { title: "Bob's flat" });
  await addListing(ana, 0, { title: "New flat" });
  await expect(chat(page).getByRole("article").getByRole("heading")).toHaveText(["New flat", "Old flat"]);
  await expect(page.getByText("New listing · New flat")).toBeAttached();
});
