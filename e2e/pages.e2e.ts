import { expect, type Page, test } from "@playwright/test";
import { LANGUAGES, type Language, localizedPath } from "#core/languages.ts";
import { holdBack } from "./support/hold-back.ts";
import { collectProblems } from "./support/problems.ts";
import { textsIn } from "./support/texts.ts";

// The written words, whatever the spaces between them.
const plain = (text: string) => text.replaceAll(/\s+/g, " ");

/** Everything one can see on the page. */
const wordsOn = async (page: Page) => plain(await page.locator("body").innerText());

/** What a page says of itself to those who do not run its scripts. */
async function expectNamed(page: Page, path: string, language: Language, baseURL: string | undefined) {
  const { landing, legal } = textsIn(language);
  const named = path === "/" ? landing.meta : legal[path.slice(1)];
  expect(await page.title()).toContain(named.title);
  const attributes = async (selector: string, name: string) => {
    const found = await page.locator(selector).all();
    return Promise.all(found.map((one) => one.getAttribute(name)));
  };
  expect(await attributes('meta[name="description"]', "content")).toEqual([named.description]);
  expect(await attributes('link[rel="canonical"]', "href")).toEqual([
    `${baseURL}${localizedPath(path, language)}`,
  ]);
  expect(await attributes('link[hreflang="x-default"]', "href")).toEqual([`${baseURL}${path}`]);
  const translations = LANGUAGES.map((other) => `${baseURL}${localizedPath(path, other)}`);
  expect(await attributes('link[rel="alternate"][hreflang]:not([hreflang="x-default"])', "href")).toEqual(
    translations,
  );
  expect(await attributes('meta[property="og:image"]', "content")).toEqual([`${baseURL}/open-graph.png`]);
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  for (const language of LANGUAGES) {
    test(`ROUTE-01 LANG-02 LANG-06 the home page reads whole and names itself (${language})`, async ({
      page,
      baseURL,
    }) => {
      const { landing, common } = textsIn(language);
      await page.goto(localizedPath("/", language));
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toContainText(landing.hero.titleSecond);
      const words = await wordsOn(page);
      for (const text of [
        landing.hero.lead,
        landing.steps.go.text,
        landing.race.gone.text,
        common.footer.privacy,
      ])
        expect(words).toContain(plain(text));
      await expectNamed(page, "/", language, baseURL);
    });

    test(`ROUTE-02 ROUTE-03 LANG-02 LANG-06 privacy and terms read whole and name themselves (${language})`, async ({
      page,
      baseURL,
    }) => {
      const { legal } = textsIn(language);
      for (const path of ["/privacy", "/terms"]) {
        const text = legal[path.slice(1)];
        await page.goto(localizedPath(path, language));
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(text.title);
        for (const { id, title, paragraphs } of text.sections) {
          await expect(page.locator(`#${id}`).getByRole("heading")).toHaveText(title);
          const words = plain(await page.locator(`#${id}`).innerText());
          for (const paragraph of paragraphs) expect(words).toContain(plain(paragraph));
        }
        const home = page.getByRole("link", { name: text.backToHome }).first();
        await expect(home).toHaveAttribute("href", localizedPath("/", language));
        await expectNamed(page, path, language, baseURL);
      }
    });

    test(`ROUTE-07 an unknown page is a 404 that reads whole in its language (${language})`, async ({
      page,
    }) => {
      const { common } = textsIn(language);
      for (const path of ["/nothing-here", "/profile/nothing"]) {
        const response = await page.goto(localizedPath(path, language));
        expect(response?.status()).toBe(404);
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.notFound.title);
        const home = page.getByRole("link", { name: common.notFound.home });
        await expect(home).toHaveAttribute("href", localizedPath("/", language));
      }
    });
  }
});

test("ROUTE-02 the privacy page names everything that is stored", async ({ page }) => {
  await page.goto("/privacy");
  const stored = page.locator("#what-we-store");
  for (const kind of [/e-?mail/i, /chat ID/i, /search preferences/i, /filter settings/i, /usage data/i]) {
    await expect(stored).toContainText(kind);
  }
});

test("ROUTE-03 the terms have their six sections, their date and their notice period", async ({ page }) => {
  await page.goto("/terms");
  const sections = await page.locator("article section").all();
  const ids = await Promise.all(sections.map((section) => section.getAttribute("id")));
  expect(ids).toEqual([
    "introduction",
    "user-guidelines",
    "account-rules",
    "liability",
    "changes",
    "contact",
  ]);
  await expect(page.getByRole("article")).toContainText("11 January 2025");
  await expect(page.locator("#changes")).toContainText(/30 days/);
  await expect(page.locator("#account-rules")).toContainText(/suspend/);
  await page.getByRole("link", { name: "Back to home" }).first().click();
  await expect(page).toHaveURL("/");
});

for (const language of ["en", "fr"] as const) {
  test(`ROUTE-07 the 404 page keeps the address, logs the visit and leads home (${language})`, async ({
    page,
  }) => {
    const problems = collectProblems(page);
    const { common } = textsIn(language);
    const path = localizedPath("/no/such/page?x=1", language);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.notFound.title);
    await expect(page).toHaveURL(path);
    await expect
      .poll(() => problems.join("\n"))
      .toContain(`No page at ${localizedPath("/no/such/page", language)}`);
    await page.getByRole("link", { name: common.notFound.home }).click();
    await expect(page).toHaveURL(localizedPath("/", language));
  });
}

test("ROUTE-07 /xx, /en, /es/es and /404 are unknown pages", async ({ request }) => {
  for (const path of ["/xx", "/en", "/es/es", "/404", "/es/404", "/privacy/x"]) {
    const response = await request.get(path);
    expect([path, response.status()]).toEqual([path, 404]);
  }
});

for (const language of ["en", "de"] as const) {
  test(`ROUTE-10 a recovery link on any page leads to the reset page, fragment kept (${language})`, async ({
    page,
  }) => {
    const fragment = "#access_token=abc&refresh_token=def&type=recovery";
    for (const path of ["/", "/terms", "/profile"]) {
      await page.goto(`${localizedPath(path, language)}${fragment}`);
      await page.waitForURL((url) => url.pathname === localizedPath("/reset-password", language));
    }
  });
}

test("ROUTE-10 a recovery link pasted into an open tab is followed as well", async ({ page }) => {
  await page.goto("/es/privacy", { waitUntil: "networkidle" });
  await page.evaluate('window.location.hash = "#access_token=abc&type=recovery"');
  await page.waitForURL((url) => url.pathname === "/es/reset-password");
});

test("ROUTE-10 a recovery link pasted before the page has come alive is followed as well", async ({
  page,
}) => {
  const letGo = await holdBack(page, "**/assets/vendor-*.js");
  await page.goto("/de/terms", { waitUntil: "domcontentloaded" });
  await page.evaluate('window.location.hash = "#access_token=abc&type=recovery"');
  letGo();
  await page.waitForURL((url) => url.pathname === "/de/reset-password", { timeout: 20_000 });
});

for (const language of ["en", "ru"] as const) {
  test(`ROUTE-08 ROUTE-09 OPS-01 a guest on a protected page is told and sent home (${language})`, async ({
    page,
  }) => {
    const { common } = textsIn(language);
    await page.goto(localizedPath("/profile?tab=1", language));
    await expect(page).toHaveURL(localizedPath("/", language));
    // Looked at in one go: it stays for seconds, which a busy machine may take between two looks.
    const toasts = () =>
      page.evaluate<
        [string, string, number][]
      >(`[...document.querySelectorAll("[data-sonner-toast]")].map((toast) =>
        [toast.dataset.type, toast.innerText.replaceAll(/\\s+/g, " "), toast.offsetWidth])`);
    const words = `${common.access.requiredTitle} ${common.access.requiredText}`;
    await expect.poll(toasts).toEqual([["error", expect.stringContaining(plain(words)), 356]]);
    await expect.poll(toasts).toEqual([]);
  });
}

test("ROUTE-08 protected pages are prerendered as a spinner", async ({ request }) => {
  for (const path of ["/profile", "/es/filter-settings"]) {
    const html = await (await request.get(path)).text();
    expect(html).toContain('role="status"');
  }
});

test("LANG-06 the sitemap, robots.txt, the manifest and the pictures are served with this site's address", async ({
  request,
  baseURL,
}) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  expect(sitemap).toContain(`<loc>${baseURL}/ru/privacy</loc>`);
  expect(await (await request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  const manifest = await (await request.get("/manifest.webmanifest")).json();
  const pictures = [
    ...manifest.icons.map((icon: { src: string }) => icon.src),
    "/favicon.ico",
    "/apple-touch-icon.png",
    "/open-graph.png",
  ];
  for (const picture of pictures) {
    const response = await request.get(picture);
    expect([picture, response.status(), response.headers()["content-type"]?.split("/")[0]]).toEqual([
      picture,
      200,
      "image",
    ]);
  }
});

test("FOOT-01 HEAD-03 every kind of page fits a screen of 320 pixels", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/", "/ru", "/de", "/ru/privacy", "/de/terms", "/fr/404", "/es"]) {
    await page.goto(path);
    await expect(page.getByRole("contentinfo").getByRole("link").last()).toBeVisible();
    await expect(page.locator("html")).toHaveJSProperty("scrollWidth", 320);
  }
});
