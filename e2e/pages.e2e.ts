import { expect } from "@playwright/test";
import { LANGUAGES, type Language, localizedPath } from "#core/languages.ts";
import { holdBack } from "./support/hold-back.ts";
import { elementsIn, plain, readPage, wordsIn } from "./support/html.ts";
import { collectProblems } from "./support/problems.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

/** Checks the metadata that a crawler reads without running scripts. */
function expectMetadata(html: string, path: string, language: Language, baseURL: string | undefined): void {
  const { landing, legal } = textsIn(language);
  const named = path === "/" ? landing.meta : legal[path.slice(1)];
  const [title] = /<title>([^<]*)</.exec(html) ?? [];
  expect(wordsIn(`<body>${title}`)).toContain(plain(named.title));
  const meta = elementsIn(html, "meta");
  const contents = (key: string) =>
    meta.filter(({ name, property }) => name === key || property === key).map(({ content }) => content);
  expect(contents("description")).toEqual([named.description]);
  expect(contents("og:image")).toEqual([`${baseURL}/open-graph.png`]);
  const links = elementsIn(html, "link");
  const canonical = links.filter(({ rel }) => rel === "canonical").map(({ href }) => href);
  expect(canonical).toEqual([`${baseURL}${localizedPath(path, language)}`]);
  const alternates = links
    .filter(({ rel }) => rel === "alternate")
    .map(({ hreflang, href }) => [hreflang, href]);
  expect(alternates).toEqual([
    ...LANGUAGES.map((other) => [other, `${baseURL}${localizedPath(path, other)}`]),
    ["x-default", `${baseURL}${path}`],
  ]);
  expect(elementsIn(html, "html")).toEqual([expect.objectContaining({ lang: language })]);
}

const headingIn = (html: string) => wordsIn(`<body>${/<h1[\s\S]*?<\/h1>/.exec(html)?.[0]}`).trim();
const hasLinkTo = (html: string, path: string) => elementsIn(html, "a").some(({ href }) => href === path);

for (const language of LANGUAGES) {
  const { common, landing, legal } = textsIn(language);
  const home = localizedPath("/", language);

  test(`ROUTE-01 ROUTE-02 ROUTE-03 LANG-02 LANG-06 the public pages have all their text and metadata without scripts (${language})`, async ({
    request,
    baseURL,
  }) => {
    const { html, words } = await readPage(request, home);
    expect(headingIn(html)).toContain(plain(landing.hero.titleSecond));
    for (const text of [
      landing.hero.lead,
      landing.steps.go.text,
      landing.after.message.text,
      common.footer.privacy,
    ]) {
      expect(words).toContain(plain(text));
    }
    expectMetadata(html, "/", language, baseURL);
    for (const path of ["/privacy", "/terms"]) {
      const text = legal[path.slice(1)];
      const page = await readPage(request, localizedPath(path, language));
      expect(headingIn(page.html)).toBe(plain(text.title));
      for (const { id, title, paragraphs } of text.sections) {
        const section = sectionIn(page.html, id);
        for (const part of [title, ...paragraphs]) {
          for (const piece of part.split(/[\w-]+\.invalid(?:\[[^\]]*\])?/)) {
            expect(section).toContain(plain(piece).trim());
          }
        }
      }
      expect(page.words).toContain("Example operator (not a real one)");
      expect(page.html).not.toMatch(/[\w-]+\.invalid/);
      expect(page.words).toContain(plain(text.backToHome));
      expect(hasLinkTo(page.html, home)).toBe(true);
      expectMetadata(page.html, path, language, baseURL);
    }
  });

  test(`ROUTE-07 an unknown page answers 404 with all its text in the language of the URL (${language})`, async ({
    request,
  }) => {
    for (const path of ["/nothing-here", "/profile/nothing"]) {
      const { status, html, words } = await readPage(request, localizedPath(path, language));
      expect(status).toBe(404);
      expect(elementsIn(html, "html")).toEqual([expect.objectContaining({ lang: language })]);
      expect(headingIn(html)).toBe(plain(common.notFound.title));
      expect(words).toContain(plain(common.notFound.home));
      expect(hasLinkTo(html, home)).toBe(true);
    }
  });
}

/** The text of one section of a legal page. */
function sectionIn(html: string, id: string): string {
  const start = html.indexOf(`<section id="${id}"`);
  return wordsIn(`<body>${html.slice(start, html.indexOf("</section>", start))}`);
}

test("ROUTE-02 the privacy page lists all stored data", async ({ request }) => {
  const stored = sectionIn((await readPage(request, "/privacy")).html, "what-we-store");
  for (const kind of [/e-?mail/i, /chat ID/i, /search preferences/i, /filter settings/i, /usage data/i]) {
    expect(stored).toMatch(kind);
  }
});

test("ROUTE-03 the terms have their six sections, their date and their notice period", async ({
  request,
}) => {
  const { html, words } = await readPage(request, "/terms");
  expect(elementsIn(html.slice(html.indexOf("<article")), "section").map(({ id }) => id)).toEqual([
    "introduction",
    "user-guidelines",
    "account-rules",
    "liability",
    "changes",
    "contact",
  ]);
  expect(words).toContain("11 January 2025");
  expect(sectionIn(html, "changes")).toMatch(/30 days/);
  expect(sectionIn(html, "account-rules")).toMatch(/suspend/);
});

test("ROUTE-07 the 404 page keeps the URL, logs the visit and links to the home page (fr)", async ({
  page,
}) => {
  const problems = collectProblems(page);
  const { common } = textsIn("fr");
  const path = "/fr/no/such/page?x=1";
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.notFound.title);
  await expect(page).toHaveURL(path);
  await expect.poll(() => problems.join("\n")).toContain(`No page at ${"/fr/no/such/page"}`);
  await page.getByRole("link", { name: common.notFound.home }).click();
  await expect(page).toHaveURL("/fr");
});

test("ROUTE-07 /xx, /en, /es/es and /404 are unknown pages", async ({ request }) => {
  for (const path of ["/xx", "/en", "/es/es", "/404", "/es/404", "/privacy/x"]) {
    const response = await request.get(path);
    expect([path, response.status()]).toEqual([path, 404]);
  }
});

test("ROUTE-10 a recovery link on any page redirects to the reset page in its language (en, de, es)", async ({
  page,
}) => {
  for (const [path, reset] of [
    ["/", "/reset-password"],
    ["/de/terms", "/de/reset-password"],
    ["/es/profile", "/es/reset-password"],
  ]) {
    await page.goto(`${path}#access_token=abc&refresh_token=def&type=recovery`);
    await page.waitForURL((url) => url.pathname === reset);
  }
});

test("ROUTE-10 a recovery link pasted into an open tab also redirects", { tag: "@long" }, async ({
  page,
}) => {
  await page.goto("/es/privacy", { waitUntil: "networkidle" });
  await page.evaluate('window.location.hash = "#access_token=abc&type=recovery"');
  await page.waitForURL((url) => url.pathname === "/es/reset-password");
});

test("ROUTE-10 a recovery link pasted before the page is hydrated also redirects", { tag: "@long" }, async ({
  page,
}) => {
  const letGo = await holdBack(page, "**/assets/vendor-*.js");
  await page.goto("/de/terms", { waitUntil: "domcontentloaded" });
  await page.evaluate('window.location.hash = "#access_token=abc&type=recovery"');
  letGo();
  await page.waitForURL((url) => url.pathname === "/de/reset-password", { timeout: 30_000 });
});

test("ROUTE-08 ROUTE-09 OPS-01 a guest on a protected page sees a message and is redirected home (ru)", async ({
  page,
}) => {
  const { common } = textsIn("ru");
  await page.goto("/ru/profile?tab=1");
  await expect(page).toHaveURL("/ru");
  // Read in one call: the toast is shown for seconds, and a busy machine may take that long between two calls.
  const toasts = () =>
    page.evaluate<
      [string, string, number][]
    >(`[...document.querySelectorAll("[data-sonner-toast]")].map((toast) =>
      [toast.dataset.type, toast.innerText.replaceAll(/\\s+/g, " "), toast.offsetWidth])`);
  const words = `${common.access.requiredTitle} ${common.access.requiredText}`;
  await expect.poll(toasts).toEqual([["error", expect.stringContaining(plain(words)), 356]]);
  await expect.poll(toasts).toEqual([]);
});

test("ROUTE-08 protected pages are prerendered as a spinner", async ({ request }) => {
  for (const path of ["/profile", "/es/filter-settings"]) {
    const html = await (await request.get(path)).text();
    expect(html).toContain('role="status"');
  }
});

test("LANG-06 sitemap and robots.txt contain the site's URL, and the manifest and all icons are served", async ({
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

test("FOOT-01 HEAD-03 every kind of page fits a 320-pixel screen", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/", "/ru", "/de", "/ru/privacy", "/de/terms", "/fr/404", "/es"]) {
    await page.goto(path);
    await expect(page.getByRole("contentinfo").getByRole("link").last()).toBeVisible();
    await expect(page.locator("html")).toHaveJSProperty("scrollWidth", 320);
  }
});
