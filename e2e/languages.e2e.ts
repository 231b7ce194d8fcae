import { expect, type Page } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { readPage } from "./support/html.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";
import { whenStill } from "./support/when-still.ts";

async function storeLanguage(page: Page, language: string): Promise<void> {
  await page.goto("/robots.txt");
  await page.evaluate((value) => localStorage.setItem("i18nextLng", value), language);
}

const storedLanguage = (page: Page) => page.evaluate(() => localStorage.getItem("i18nextLng"));

test("LANG-04 a stored language that differs from the URL redirects and keeps query and fragment; an unknown one does not redirect", async ({
  page,
}) => {
  await storeLanguage(page, "ru");
  await page.goto("/es/privacy?from=mail#contact");
  await expect(page).toHaveURL("/ru/privacy?from=mail#contact");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(textsIn("ru").legal.privacy.title);
  await page.goto("/?a=1");
  await expect(page).toHaveURL("/ru?a=1");
  await storeLanguage(page, "en");
  await page.goto("/de/terms");
  await expect(page).toHaveURL("/terms");
  await storeLanguage(page, "xx");
  await page.goto("/fr");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(textsIn("fr").landing.hero.titleSecond);
  await expect(page).toHaveURL("/fr");
});

test("READ-11: the redirect to the stored language never leads to another site", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  await storeLanguage(page, "en");
  for (const path of ["/es//evil.example/", "/es/\\evil.example/", "/fr///evil.example/"]) {
    await page.goto(path);
    await expect(page).toHaveURL("/evil.example/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(textsIn("en").common.notFound.title);
  }
  expect(new Set(asked)).toEqual(new Set([baseURL]));
});

test.describe("a browser set to German", () => {
  test.use({ locale: "de-DE" });

  test("LANG-03 the URL prefix takes precedence, then the stored language, then the browser's", async ({
    page,
  }) => {
    await page.goto("/terms#changes");
    await expect(page).toHaveURL("/de/terms#changes");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await page.goto("/es");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(
      textsIn("es").landing.hero.titleSecond,
    );
    await expect(page).toHaveURL("/es");
    await storeLanguage(page, "en");
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("You already know.");
    await expect(page).toHaveURL("/");
  });
});

test("LANG-05 the language menu opens the same page in another language and stores the language (en, es, fr)", async ({
  page,
}) => {
  await page.goto("/privacy?a=1");
  for (const [from, to, name] of [
    ["en", "es", "Español"],
    ["es", "fr", "Français"],
    ["fr", "en", "English"],
  ] as const) {
    await page.getByRole("button", { name: textsIn(from).common.header.language }).click();
    await page.getByRole("menuitemradio", { name }).click();
    await expect(page).toHaveURL(`${localizedPath("/privacy", to)}?a=1`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(textsIn(to).legal.privacy.title);
    await expect(page.locator("html")).toHaveAttribute("lang", to);
    expect(await page.title()).toContain(textsIn(to).legal.privacy.title);
    expect(await storedLanguage(page)).toBe(to);
  }
});

test("LANG-05 the footer's plain links change the language too", async ({ page }) => {
  await page.goto("/terms");
  await (await whenStill(page.getByRole("contentinfo").getByRole("link", { name: "Русский" }))).click();
  await expect(page).toHaveURL("/ru/terms");
  expect(await storedLanguage(page)).toBe("ru");
});

test("LANG-05 on an unknown page the language links keep the path", async ({ page }) => {
  await page.goto("/fr/nothing/here");
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "English" })).toHaveAttribute(
    "href",
    "/nothing/here",
  );
});

test("LANG-07 a translation that fails to load five times is loaded on the sixth attempt", {
  tag: "@long",
}, async ({ page }) => {
  await page.clock.install();
  let asked = 0;
  await page.route("**/assets/locales/es/legal-*.json", async (route) => {
    asked += 1;
    if (asked <= 5) await route.fulfill({ status: 503 });
    else await route.continue();
  });
  await page.goto("/es", { waitUntil: "networkidle" });
  await (await whenStill(page.getByRole("contentinfo").getByRole("link", { name: "Privacidad" }))).click();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(6_000);
        return asked;
      },
      { intervals: [50], timeout: 60_000 },
    )
    .toBe(6);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(textsIn("es").legal.privacy.title);
  expect(asked).toBe(6);
});

test("LANG-07 if a translation cannot be loaded, English is shown, never keys", async ({ page }) => {
  await page.clock.install();
  let asked = 0;
  await page.route("**/assets/locales/de/legal-*.json", async (route) => {
    asked += 1;
    await route.abort();
  });
  await page.goto("/de");
  await (await whenStill(page.getByRole("contentinfo").getByRole("link", { name: "Datenschutz" }))).click();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(12_000);
        return asked;
      },
      { intervals: [50], timeout: 60_000 },
    )
    .toBe(6);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  await expect(page.locator("body")).not.toContainText(/privacy\.(title|sections)|legal:/);
  expect(asked).toBe(6);
});

test("LANG-07 choosing a language that cannot be loaded switches to it and shows English texts", {
  tag: "@long",
}, async ({ page }) => {
  await page.clock.install();
  let asked = 0;
  await page.route("**/assets/locales/fr/*.json", async (route) => {
    asked += 1;
    await route.abort();
  });
  await page.goto("/");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Français" }).click();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(12_000);
        return asked;
      },
      { intervals: [50], timeout: 60_000 },
    )
    .toBe(3 * 6);
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("You already know.");
});

test("LANG-01 the language menu and the cookie notice work with blocked storage", async ({ page }) => {
  await page.addInitScript(
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });",
  );
  await page.goto("/es");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(textsIn("es").landing.hero.titleSecond);
  await page.getByRole("button", { name: "Idioma" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await expect(page).toHaveURL("/de");
  await page.getByRole("button", { name: "Akzeptieren" }).click();
  await expect(page.getByRole("region", { name: textsIn("de").common.cookies.label })).toHaveCount(0);
});

test("LANG-08 prices are formatted for each language", async ({ request }) => {
  const written = { en: "€1,400", es: "1.400 €", de: "1.400 €", fr: "1 400 €", ru: "1 400 €" };
  for (const language of SPECIFIED_LANGUAGES) {
    const { words } = await readPage(request, localizedPath("/", language));
    expect([language, words]).toEqual([language, expect.stringContaining(written[language])]);
  }
});

test("LANG-01 only Russian pages load the Cyrillic font", { tag: "@long" }, async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/de", { waitUntil: "networkidle" });
  expect(asked.join(" ")).toContain("onest-latin");
  expect(asked.join(" ")).not.toContain("cyrillic");
  await page.goto("/ru", { waitUntil: "networkidle" });
  expect(asked.join(" ")).toContain("cyrillic");
});
