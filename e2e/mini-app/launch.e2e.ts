import { expect, type Page } from "@playwright/test";
import { signInitData } from "../../simulators/telegram/mini-app/sign-init-data.ts";
import texts from "../../src/text/locales/en/mini-app.json" with { type: "json" };
import { inDatabase } from "../support/product-database.ts";
import { BOT_TOKEN, miniAppOf } from "../support/telegram.ts";
import { test } from "../support/visitor.ts";
import { newHunter } from "./app-hunter.ts";
import { insideTelegram, shownBy } from "./telegram-client.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const home = (page: Page) => page.getByText("Calle de Luchana").first();

/** The address of the app with launch data that Telegram signed at another time, or with a start parameter. */
function launchOf(
  baseURL: string | undefined,
  { phone, secondsAgo = 0, start }: { phone: number; secondsAgo?: number; start?: string },
): string {
  const data = signInitData(
    {
      user: { id: phone, first_name: "Ana" },
      ...(start === undefined ? {} : { chat_instance: "1", chat_type: "group", start_param: start }),
      auth_date: Math.floor(Date.now() / 1000) - secondsAgo,
    },
    BOT_TOKEN,
  );
  const query = start === undefined ? "" : `?tgWebAppStartParam=${encodeURIComponent(start)}`;
  const fragment = new URLSearchParams({
    tgWebAppData: data,
    tgWebAppVersion: "9.6",
    tgWebAppThemeParams: "{}",
  });
  return `${baseURL}/app${start === undefined ? "/finds" : ""}${query}#${fragment}`;
}

test("MINI-04 with storage cleared at closing, the same data opens it again", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const { phone, person } = await newHunter(baseURL);
  await insideTelegram(page);
  const url = await miniAppOf(phone);
  for (const _ of ["first", "again"]) {
    await page.goto(url);
    await expect(home(page)).toBeVisible();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("/robots.txt");
  }
  const sessions = await inDatabase(
    (sql) => sql`select from auth.sessions where user_id = ${person.id} and user_agent like '%Chrome%'`,
  );
  expect(sessions).toHaveLength(1);
});

test("MINI-01 data of 59 minutes opens the app; older data and data from the future ask to open it again", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  for (const secondsAgo of [61 * 60, 23 * 3_600, -120]) {
    await page.goto(launchOf(baseURL, { phone, secondsAgo }));
    await expect(page.getByRole("heading", { name: texts.refused.old.title })).toBeVisible();
    await page.goto("/robots.txt");
  }
  await page.goto(launchOf(baseURL, { phone, secondsAgo: 61 * 60 }));
  await page.getByRole("button", { name: texts.close }).click();
  expect((await shownBy(page)).isClosed).toBe(true);
  await page.goto("/robots.txt");
  await page.goto(launchOf(baseURL, { phone, secondsAgo: 59 * 60 }));
  await expect(home(page)).toBeVisible();
});

test("MINI-01 launch data leaves the page in one body, and in no address", async ({ page, baseURL }) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  const url = await miniAppOf(phone);
  const data = new URLSearchParams(new URL(url).hash.slice(1)).get("tgWebAppData") ?? "";
  const hash = new URLSearchParams(data).get("hash") ?? "";
  const bodies: string[] = [];
  const heads: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/app/finds#`)) heads.push(request.url());
    heads.push(JSON.stringify(request.headers()));
    if (request.postData()?.includes(hash)) bodies.push(new URL(request.url()).pathname);
  });
  await page.goto(url);
  await expect(home(page)).toBeVisible();
  await page.getByRole("link", { name: texts.searches }).click();
  const back = page.getByRole("link", { name: texts.backToHomes });
  await expect(back).toBeVisible();
  await page.reload();
  await expect(back).toBeVisible();
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(bodies).toEqual(["/auth/v1/token"]);
  expect(heads.filter((head) => head.includes(hash))).toEqual([]);
});

test("MINI-03 a link in a group opens the reader's own home or the list, and changes nothing", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const [one, other] = [await newHunter(baseURL), await newHunter(baseURL)];
  await insideTelegram(page);
  const rows = () =>
    inDatabase(
      (sql) => sql`
        select (select count(*)::int from public.marks where user_id = ${one.person.id}) as marks,
          (select count(*)::int from auth.users where id = ${one.person.id}) as accounts,
          (select count(*)::int from public.listings where user_id = ${one.person.id}) as finds`,
    );
  await page.goto(launchOf(baseURL, { phone: one.phone, start: `home-${one.code}` }));
  await expect(page.getByRole("dialog")).toContainText("Calle de Luchana");
  // The button of somebody else's alert.
  await page.goto("/robots.txt");
  await page.goto(launchOf(baseURL, { phone: one.phone, start: `home-${other.code}` }));
  await expect(page.getByRole("dialog")).not.toContainText("Calle de Luchana");
  for (const start of ["delete-account", "hide-all", "x".repeat(512)]) {
    await page.goto("/robots.txt");
    await page.goto(launchOf(baseURL, { phone: one.phone, start }));
    await expect(home(page)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/app/finds");
  }
  expect([...(await rows())]).toEqual([{ marks: 0, accounts: 1, finds: 1 }]);
});

test("MINI-04 opened by a button that does not say who is there, the app shows nobody's homes, also not those of who was there before", async ({
  page,
  baseURL,
}) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone));
  await expect(home(page)).toBeVisible();
  await page.goto("/robots.txt");
  await page.goto("/app/finds#tgWebAppVersion=9.6&tgWebAppPlatform=weba&tgWebAppBotInline=1");
  for (const _ of ["opened", "reloaded"]) {
    await expect(page.getByRole("heading", { name: texts.refused.outside.title })).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem("sb-telegram-auth-token"))).toBeNull();
    await page.reload();
  }
});

test("MINI-01 TIME-03 a link with somebody's launch data opens their account in no ordinary tab", async ({
  page,
  baseURL,
}) => {
  const { phone, person } = await newHunter(baseURL);
  await page.goto(await miniAppOf(phone));
  for (const _ of ["opened", "reloaded"]) {
    await expect(page.getByRole("heading", { name: texts.refused.outside.title })).toBeVisible();
    expect(await page.evaluate("Object.values(sessionStorage).join() + location.href")).not.toContain("hash");
    await page.reload();
  }
  const sessions = await inDatabase(
    (sql) => sql`select from auth.sessions where user_id = ${person.id} and user_agent like '%Chrome%'`,
  );
  expect(sessions).toHaveLength(0);
});

test("MINI-04 a session that ended while the app was closed asks to open it again, and leads to no other page", async ({
  page,
  baseURL,
}) => {
  const { phone, person } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone));
  await expect(home(page)).toBeVisible();
  await page.goto("/robots.txt");
  await inDatabase((sql) => sql`delete from auth.sessions where user_id = ${person.id}`);
  await page.evaluate(() => {
    const session = JSON.parse(sessionStorage.getItem("sb-telegram-auth-token") ?? "{}");
    sessionStorage.setItem("sb-telegram-auth-token", JSON.stringify({ ...session, expires_at: 1 }));
  });
  await page.goto("/app/finds");
  await expect(page.getByRole("heading", { name: texts.refused.old.title })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/app/finds");
});
