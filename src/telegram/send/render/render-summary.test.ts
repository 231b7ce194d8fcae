import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import type { SearchNews } from "../channel.ts";
import { renderSummary } from "./render-summary.ts";

const fresh = (code: string, changes: Parameters<typeof listingOf>[1] = {}): SearchNews => ({
  kind: "new",
  payload: { listing: listingOf(code, changes) },
});

test("TRUE-05 a summary of very many news stays within Telegram's limits for text and buttons", () => {
  const bare = { address: null, neighborhood: null, district: null, municipality: null, comparison: null };
  const nothing = { ...bare, areaM2: null, rooms: null, floor: null, hasLift: null };
  for (const language of LANGUAGES) {
    for (const changes of [{}, nothing]) {
      const codes = Array.from({ length: 60 }, (_, index) => `fotocasa:${"9".repeat(40)}${index}`);
      const { html, buttons, includedCount } = renderSummary(
        codes.map((code) => fresh(code, { ...changes, url: "https://x.es/" })),
        { language },
      );
      expect(html.length).toBeLessThanOrEqual(4096);
      expect(includedCount).toBeGreaterThan(10);
      expect(buttons).toHaveLength(includedCount + 1);
      expect(buttons.flat().length).toBeLessThanOrEqual(100);
      for (const button of buttons.flat()) {
        if ("callback_data" in button)
          expect(Buffer.byteLength(button.callback_data)).toBeLessThanOrEqual(64);
      }
    }
  }
});

test("TRUE-05 two news about a home are one row with the latest; a removed listing has no buttons", () => {
  const cut = { listing: listingOf("2", { priceEur: 900 }), formerPriceEur: 1_250, dropPercent: 28 };
  const news: SearchNews[] = [
    { ...fresh("1"), homeId: "1" },
    { kind: "gone", payload: { listing: listingOf("9") }, homeId: "9" },
    { ...fresh("3"), homeId: "3" },
    { kind: "price-drop", payload: cut, homeId: "1" },
  ];
  const { html, buttons, includedCount } = renderSummary(news, { language: "en" });
  const [, first, gone, second, ...others] = html.split("\n\n");
  expect([includedCount, others]).toEqual([4, []]);
  expect(first).toMatch(/^1\. 📉.*inmueble\/2\//);
  expect(gone).toMatch(/^🚪/);
  expect(second).toMatch(/^2\. 🏮/);
  expect(
    buttons.map((row) => row.flatMap((one) => ("callback_data" in one ? one.callback_data : []))),
  ).toEqual([["h:2", "k:2"], ["h:3", "k:3"], ["m"]]);
});
