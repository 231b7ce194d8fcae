import { expect, test } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { holdBack } from "./support/hold-back.ts";
import { collectProblems } from "./support/problems.ts";
import { everyPage, PUBLIC_PATHS, textsIn } from "./support/texts.ts";

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  for (const { path, language } of everyPage(["/"])) {
    test(`ROUTE-01 LANG-02 ${path} reads whole in its language`, async ({ page }) => {
      const { landing, common } = textsIn(language);
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toContainText(landing.hero.titleSecond);
      for (const text of [
        landing.hero.lead,
        landing.steps.go.text,
        landing.race.gone.text,
        common.footer.privacy,
      ]) {
        await expect(page.getByText(text).first()).toBeVisible();
      }
    });
  }

  for (const { path, language } of everyPage(["/privacy", "/terms"])) {
    test(`ROUTE-02 ROUTE-03 LANG-02 ${path} reads whole in its language`, async ({ page }) => {
      const { legal } = textsIn(language);
      const text = path.endsWith("privacy") ? legal.privacy : legal.terms;
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(text.title);
      for (const section of text.sections) {
        await expect(page.locator(`#${section.id}`).getByRole("heading")).toHaveText(section.title);
        for (const paragraph of section.paragraphs)
          await expect(page.getByText(paragraph, { exact: true })).toBeVisible();
      }
      await expect(page.getByRole("link", { name: text.backToHome }).first()).toHaveAttribute(
        "href",
        localizedPath("/", language),
      );
    });
  }

  for (const { path, language } of everyPage(["/nothing-here", "/profile/nothing"])) {
    test(`ROUTE-07 ${path} is a 404 that reads whole in its language`, async ({ page }) => {
      const { common } = textsIn(language);
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.notFound.title);
      await expect(page.getByRole("link", { name: common.notFound.home })).toHaveAttribute(
        "href",
        localizedPath("/", language),
      );
    });
  }

  for (const { path, language } of everyPage(PUBLIC_PATHS)) {
    test(`LANG-06 ${path} names itself and its translations before any script runs`, async ({
      page,
      baseURL,
    }) => {
      const { landing, legal } = textsIn(language);
      await page.goto(path);
      const base = path.endsWith("privacy") ? "/privacy" : path.endsWith("terms") ? "/terms" : "/";
      const named = base === "/" ? landing.meta : legal[base.slice(1)];
      expect(await page.title()).toContain(named.title);
      await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", named.description);
      await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${baseURL}${path}`);
      for (const other of ["en", "es", "ru", "de", "fr"] as const) {
        await expect(page.locator(`link[rel="alternate"][hreflang="${other}"]`)).toHaveAttribute(
          "href",
          `${baseURL}${localizedPath(base, other)}`,
        );
      }
      await expect(page.locator('link[hreflang="x-default"]')).toHaveAttribute("href", `${baseURL}${base}`);
      await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
        "content",
        `${baseURL}/open-graph.png`,
      );
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
    const toast = page.locator("[data-sonner-toast]");
    await expect(toast).toHaveCount(1);
    await expect(toast).toHaveAttribute("data-type", "error");
    await expect(toast).toContainText(common.access.requiredTitle);
    await expect(toast).toContainText(common.access.requiredText);
    expect((await toast.boundingBox())?.width).toBe(356);
    await expect(toast).toHaveCount(0, { timeout: 8000 });
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

for (const path of ["/", "/ru", "/de", "/ru/privacy", "/de/terms", "/fr/404", "/es"]) {
  test(`FOOT-01 HEAD-03 ${path} fits a screen of 320 pixels`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    await expect(page.getByRole("contentinfo").getByRole("link").last()).toBeVisible();
    await expect(page.locator("html")).toHaveJSProperty("scrollWidth", 320);
  });
}
