// Tells one of every kind of news into a simulated chat, in each language, and takes a picture of the phone.
// The argument is the folder for the pictures.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { AlertNews } from "#core/alert/alert.ts";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { startConsole } from "#simulators/console/console.ts";
import { startGoogleSimulator } from "#simulators/google/google-simulator.ts";
import { startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { createTelegramChannel } from "#telegram/send/create-telegram-channel.ts";
import { FILTER_URL, listingOf } from "#test/delivery/delivery-fixture.ts";
import { findBrowser } from "../../scripts/find-browser.ts";

const PHONE = { width: 390, height: 844 };
const folder = process.argv[2] ?? "pictures";
const since = Date.UTC(2026, 10, 14, 22, 10);
const photo = "https://img4.idealista.com/blur/WEB_LISTING/0/1.jpg";

const flat = listingOf("109876501", { pictureUrl: photo });
const others = [
  listingOf("109876502", {
    subTypology: "penthouse",
    priceEur: 1490,
    areaM2: 71,
    rooms: 1,
    floor: "6",
    address: "calle del Cardenal Cisneros",
  }),
  listingOf("109876503", {
    subTypology: "studio",
    priceEur: 990,
    areaM2: 34,
    rooms: 0,
    floor: "bj",
    hasLift: false,
    address: "calle de Luchana",
  }),
  listingOf("109876504", {
    typology: "chalet",
    subTypology: "terracedHouse",
    operation: "sale",
    priceEur: 489_000,
    areaM2: 164,
    rooms: 4,
    floor: null,
    hasLift: null,
    address: "calle de Alcalde Sainz de Baranda",
    pricePerM2Eur: 2982,
    comparison: { percent: 4, samples: 31, place: "Ibiza" },
    neighborhood: "Ibiza",
    district: "Retiro",
  }),
];
const [penthouse = flat, studio = flat, house = flat] = others;
const news: readonly (readonly AlertNews[])[] = [
  [{ kind: "question", payload: { email: "a***@example.com" } }],
  [{ kind: "test", payload: {} }],
  [
    {
      kind: "watch-started",
      payload: { filterUrl: FILTER_URL, matchCount: 23, isAtLeast: false, newest: [flat, penthouse, studio] },
    },
  ],
  [{ kind: "new", payload: { listing: flat } }],
  [{ kind: "new", payload: { listing: house } }],
  [
    {
      kind: "price-drop",
      payload: {
        listing: { ...flat, priceEur: 1150, pictureUrl: null },
        formerPriceEur: 1250,
        dropPercent: 8,
      },
    },
  ],
  [{ kind: "readvertised", payload: { listing: penthouse, formerListingId: "1", formerPriceEur: 1550 } }],
  [{ kind: "back", payload: { listing: studio } }],
  [{ kind: "gone", payload: { listing: flat } }],
  [{ kind: "source-down", payload: { sinceMs: since, reason: "down" } }],
  [{ kind: "source-up", payload: { sinceMs: since, untilMs: since + 5_400_000, mayHaveMissed: true } }],
  [
    { kind: "new", payload: { listing: penthouse } },
    { kind: "price-drop", payload: { listing: house, formerPriceEur: 515_000, dropPercent: 5 } },
    { kind: "new", payload: { listing: studio } },
  ],
];

await mkdir(folder, { recursive: true });
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("no browser to take pictures with");
const telegram = await startTelegramSimulator({ floodControl: false });
const [mail, google, portal] = await Promise.all([
  startMailSimulator(),
  startGoogleSimulator({ redirectUris: [] }),
  startPortalSimulator({ monthlyRequests: null }),
]);
const console_ = await startConsole({
  ...{ port: 0, siteUrl: "http://localhost:3000", mail, google },
  portalUrl: portal.url,
  telegram,
});
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const language of LANGUAGES) await takePictures(language);
await browser.close();
await Promise.all([console_.stop(), mail.stop(), google.stop(), portal.close(), telegram.close()]);

async function takePictures(language: Language): Promise<void> {
  const person = createPerson(telegram, {
    firstName: `Alex ${language}`,
    isStarted: true,
    languageCode: language,
  });
  await tell(telegram, person.id, language);
  const page = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 1 });
  await page.goto(`${console_.url}/#telegram`);
  await page.getByRole("button", { name: person.firstName }).first().click();
  await page.locator(".tg-chats button").first().click();
  await page.waitForSelector(".tg.open");
  const height = await page.evaluate<number>("document.querySelector('.tg-log').scrollHeight");
  await page.setViewportSize({ width: PHONE.width, height: height + 200 });
  for (let screen = 0; screen * PHONE.height < height; screen += 1) {
    const path = join(folder, `alerts-${language}-${screen + 1}.png`);
    await page.screenshot({ path, clip: { ...PHONE, x: 0, y: screen * PHONE.height } });
  }
  await page.close();
}

async function tell(world: TelegramSimulator, chatId: number, language: Language): Promise<void> {
  const channel = createTelegramChannel({
    token: world.bot.token,
    apiRoot: world.url,
    siteUrl: "https://sereno.example",
  });
  const userId = "0e02b2c3-d479-4372-a567-f47ac10b58cc";
  for (const one of news) {
    const outcome = await channel.send({
      chatId: String(chatId),
      userId,
      language,
      news: one,
      replyTo: null,
    });
    if (outcome.type !== "sent") throw new Error(JSON.stringify(outcome));
  }
}
