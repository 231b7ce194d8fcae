import { expect } from "@playwright/test";
import texts from "../../src/text/locales/en/mini-app.json" with { type: "json" };
import { consoleUrl } from "../support/console.ts";
import { holdBack } from "../support/hold-back.ts";
import { inDatabase } from "../support/product-database.ts";
import { miniAppOf, newPhone } from "../support/telegram.ts";
import { test } from "../support/visitor.ts";
import { newHunter } from "./app-hunter.ts";
import { callsOf, insideTelegram } from "./telegram-client.ts";

const THEME = {
  light: { bg_color: "#ffffff" },
  dark: { bg_color: "#17212b" },
  garish: { bg_color: "#ff00ff" },
};

test("MINI-01 MINI-04 on a phone the app opens without a sign-in, leaves nothing in the address, and survives a reload", async ({
  page,
  baseURL,
}) => {
  const { phone, code } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone, { page: `/app/finds?home=${code}` }));
  await expect(page.getByText("Calle de Luchana").first()).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("sb-")))).toEqual(
    [],
  );
  await expect
    .poll(() => callsOf(page))
    .toEqual(expect.arrayContaining(["web_app_ready", "web_app_expand", "web_app_setup_back_button"]));
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("Calle de Luchana").first()).toBeVisible();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/app/finds?home=${code}`);
});

test("MINI-05 an alert's home is shown before the application is loaded, with one sign-in and one request, and then opens", async ({
  page,
  baseURL,
}) => {
  const { phone, code } = await newHunter(baseURL);
  await insideTelegram(page);
  const asked: string[] = [];
  const fonts: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/(token|my_find)$/.test(pathname)) asked.push(pathname);
    if (pathname.endsWith(".woff2")) fonts.push(pathname);
  });
  const letGo = await holdBack(page, /\/assets\/react-.*\.js/);
  await page.goto(await miniAppOf(phone, { page: `/app/finds?home=${code}` }), { waitUntil: "commit" });
  const early = page.locator("#early-finds");
  await expect(early).toContainText("Calle de Luchana");
  await expect(page.getByRole("main").getByRole("status")).toBeHidden();
  expect(fonts).toEqual([]);
  letGo();
  await expect(page.getByRole("dialog")).toContainText("Calle de Luchana");
  // React has taken over what the server sent, and did not render it again.
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(early).toHaveCount(0);
  expect(asked).toEqual(["/auth/v1/token", "/rest/v1/rpc/my_find"]);
  await expect.poll(() => fonts.length).toBeGreaterThan(0);
});

test("MINI-04 the session of another Telegram user in the same webview is dropped", async ({
  page,
  baseURL,
}) => {
  const [one, other] = [await newHunter(baseURL), await newHunter(baseURL)];
  await insideTelegram(page);
  await page.goto(await miniAppOf(one.phone));
  await expect(page.getByText("Calle de Luchana").first()).toBeVisible();
  await page.goto("/robots.txt");
  await page.goto(await miniAppOf(other.phone));
  await expect(page.getByText("Calle de Luchana").first()).toBeVisible();
  const owner = await page.evaluate(
    () => JSON.parse(sessionStorage.getItem("sb-telegram-auth-token") ?? "{}").user?.id,
  );
  expect(owner).toBe(other.person.id);
});

test("MINI-05 light or dark follows Telegram's background, in our own colours", async ({ page, baseURL }) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  for (const [name, theme] of Object.entries({ light: "light", dark: "dark", garish: "dark" } as const)) {
    await page.goto(await miniAppOf(phone, { theme: THEME[name as keyof typeof THEME] }));
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await page.goto("/robots.txt");
  }
});

test("MINI-01 a Telegram user without an account is led to the chat, and forged data open nothing", async ({
  page,
}) => {
  const phone = await newPhone("Nobody", { isStarted: true });
  const url = await miniAppOf(phone);
  await insideTelegram(page);
  await page.goto(url);
  await expect(page.getByRole("heading", { name: texts.refused.unknown.title })).toBeVisible();
  await expect(page.getByRole("link", { name: texts.openChat })).toBeVisible();
  await page.goto("/robots.txt");
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(url.replace(/hash%3D..../, "hash%3D0000"));
  await expect(page.getByRole("heading", { name: texts.refused.old.title })).toBeVisible();
});

test("MINI-01 without Telegram the page says where it opens", async ({ page }) => {
  await page.goto("/app/finds");
  await expect(page.getByRole("heading", { name: texts.refused.outside.title })).toBeVisible();
});

test("MINI-02 Telegram's web version shows the app in a frame, and nobody shows any other page in one", async ({
  page,
  baseURL,
}) => {
  const { phone } = await newHunter(baseURL);
  const url = await miniAppOf(phone);
  const show = async (address: string) => {
    const sandbox = "allow-scripts allow-same-origin allow-popups allow-forms allow-modals";
    await page.locator("body").evaluate(
      (body, html) => {
        Object.assign(body, { innerHTML: html });
      },
      `<iframe sandbox="${sandbox}" width="390" height="800" src="${address.replaceAll("&", "&amp;")}"></iframe>`,
    );
  };
  await page.goto(`${consoleUrl}/console.css`);
  await show(url);
  await expect(page.frameLocator("iframe").getByText("Calle de Luchana").first()).toBeVisible();
  await show(`${baseURL}/finds`);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  // Another site than Telegram's.
  await page.goto("/robots.txt");
  await show(url);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
});

test("MINI-02 only the app's own pages say who may frame them, in no other spelling and on no missing page", async ({
  request,
}) => {
  const framedBy = async (path: string) => {
    const answer = await request.get(path, { maxRedirects: 0 });
    const headers = answer.headers();
    const [, sites = "'none'"] =
      /frame-ancestors ([^;]*)/.exec(headers["content-security-policy"] ?? "") ?? [];
    return [path, sites, headers["x-frame-options"]];
  };
  for (const path of ["/app", "/app/finds", "/de/app/finds?home=1", "/ru/app/filter-settings"])
    expect(await framedBy(path)).toEqual([path, consoleUrl, undefined]);
  const others = [
    "/APP/finds",
    "/app%2Ffinds",
    "/app/finds/",
    "/app/nothing",
    "/xx/app/finds",
    "/de/app/profile",
  ];
  for (const path of [...others, "/application", "/finds?x=/app/", "/config.json", "/auth/v1/health"])
    expect(await framedBy(path)).toEqual([path, "'none'", "DENY"]);
});

test("MINI-06 a mark in the app is in the chat, and one in the chat is in the app", async ({
  page,
  baseURL,
}) => {
  const { phone, code, person } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone));
  await page.getByRole("button", { name: "Keep", exact: true }).first().click();
  const marks = () =>
    inDatabase(
      (sql) => sql`select mark from public.marks where user_id = ${person.id} and home_id = (
      select home_id from public.listings where user_id = ${person.id} and listing_id = ${code})`,
    );
  await expect.poll(async () => (await marks())[0]?.mark).toBe("kept");
  await inDatabase((sql) => sql`delete from public.marks where user_id = ${person.id}`);
  await expect(page.getByRole("button", { name: "Keep", exact: true }).first()).toHaveAttribute(
    "aria-pressed",
    "false",
  );
});
