// Every page of the app as Telegram shows it: in its frame and in a phone's window, narrow and wide, in light, dark and garish themes.
import { expect, type Page } from "@playwright/test";
import { LANGUAGES, type Language, localizedPath } from "#core/languages.ts";
import { consoleUrl } from "../support/console.ts";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { expectSoundLayout } from "../support/layout.ts";
import { miniAppOf, newPhone } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";
import { newHunter } from "./app-hunter.ts";
import { insideTelegram } from "./telegram-client.ts";

const THEMES = [{ bg_color: "#ffffff" }, { bg_color: "#17212b" }, { bg_color: "#ff00ff" }] as const;
const WIDTHS = [360, 390] as const;
const STREET = "Calle de Nuestra Señora del Perpetuo Socorro, 1234";

async function newPages(baseURL: string | undefined, language: Language) {
  const { person, phone } = await newHunter(baseURL);
  const searchIds = await addSearches(person);
  const codes = newCodes(3);
  const prices = { priceEur: 1_234_000, formerPriceEur: 1_345_000, minutesAgo: 90, street: STREET };
  await addFinds(
    person,
    codes.map((id, search) => ({ id, search, ...prices })),
    searchIds,
  );
  const paths = {
    list: "/app/finds",
    home: `/app/finds?home=${codes[1]}`,
    map: "/app/finds?view=map",
    market: "/app/finds?view=market",
    settings: "/app/finds?view=settings",
    "left-out": "/app/finds?state=left-out",
    searches: "/app/filter-settings",
    search: `/app/filter-settings?search=${searchIds[0]}`,
  };
  return {
    phone,
    paths: Object.entries(paths).map(([name, path]) => [name, localizedPath(path, language)] as const),
  };
}

async function expectShown(page: Page): Promise<void> {
  await expect(page.locator("[data-waiting]")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("heading").first()).toBeVisible();
}

for (const language of LANGUAGES) {
  test(`MINI-05 in a phone's window nothing is cut off, too small or wider than the screen (${language})`, {
    tag: language === "de" ? [] : "@long",
  }, async ({ page, baseURL }) => {
    const { phone, paths } = await newPages(baseURL, language);
    await insideTelegram(page, { phone });
    for (const [at, [name, path]] of paths.entries()) {
      const width = WIDTHS[at % 2] ?? 390;
      await page.setViewportSize({ width, height: 780 });
      await page.goto(
        await miniAppOf(phone, { page: path, theme: { ...THEMES[at % 3] } as Record<string, string> }),
      );
      await expectShown(page);
      await test.step(`${name}, ${width} px`, () => expectSoundLayout(page));
      await test.step(`${name}, axe`, () => expectAccessible(page));
    }
  });

  test(`MINI-05 in the frame of Telegram's web version too (${language})`, {
    tag: "@long",
  }, async ({ page, baseURL }) => {
    const { phone, paths } = await newPages(baseURL, language);
    await page.goto(`${consoleUrl}/console.css`);
    for (const [at, [name, path]] of paths.entries()) {
      const url = await miniAppOf(phone, {
        page: path,
        theme: { ...THEMES[(at + 1) % 3] } as Record<string, string>,
      });
      const width = WIDTHS[(at + 1) % 2] ?? 390;
      await page.locator("body").evaluate(
        (body, [src, shown]) => {
          Object.assign(body, {
            innerHTML: `<iframe width="${shown}" height="700" style="border:0" src="${src}"></iframe>`,
          });
        },
        [url.replaceAll("&", "&amp;"), String(width)],
      );
      const frame = page.frames()[1];
      if (!frame) throw new Error("There is no frame");
      await expect(frame.locator("[data-waiting]")).toHaveCount(0);
      await expect(frame.getByRole("heading").first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      await test.step(`${name}, ${width} px`, () => expectSoundLayout(frame));
    }
  });

  test(`MINI-05 what refuses somebody says it in ${language}, and leads on`, {
    tag: language === "fr" ? [] : "@long",
  }, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    const { refused } = textsIn(language)["mini-app"];
    const phone = await newPhone("Nobody", { isStarted: true });
    await insideTelegram(page, { phone });
    const url = await miniAppOf(phone, { page: localizedPath("/app/finds", language) });
    for (const [address, refusal] of [
      [url, refused.unknown],
      [url.replace(/hash%3D..../, "hash%3D0000"), refused.old],
      [localizedPath("/app/finds#tgWebAppVersion=9.6", language), refused.outside],
    ] as const) {
      await page.goto(address);
      await expect(page.getByRole("heading", { name: refusal.title })).toBeVisible();
      await expectSoundLayout(page);
      await expectAccessible(page);
      await page.goto("/robots.txt");
    }
  });
}
