// What a page cannot do without is named here. Any other request of it may fail, and its content is there all the same.
import { cleanup } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Account } from "../features/account/account.tsx";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { Finds } from "../features/finds/finds.tsx";
import { Answerer, FAULTS } from "./answerer.ts";
import { holdTime, openPage, pass, signInForTest } from "./open-page.tsx";
import { LISTING_ID, SEARCH_ID, STORED } from "./stored-rows.ts";

interface ShownPage {
  readonly address: string;
  readonly page: ReactNode;
  readonly needs: readonly string[];
  readonly content: string;
}

const PAGES: readonly ShownPage[] = [
  { address: "/finds", page: <Finds />, needs: ["rpc my_finds"], content: "Calle de Prueba, 1" },
  {
    address: `/finds?home=${LISTING_ID}`,
    page: <Finds />,
    needs: ["rpc my_find"],
    content: "Message to the advertiser",
  },
  {
    address: "/finds?view=map",
    page: <Finds />,
    needs: ["rpc my_find_points"],
    content: "Arrow keys move the map",
  },
  {
    address: "/finds?view=market",
    page: <Finds />,
    needs: ["market_figures"],
    content: "too few for figures",
  },
  { address: "/finds?view=settings", page: <Finds />, needs: ["find_settings"], content: "Save message" },
  { address: "/profile", page: <Account />, needs: ["profiles"], content: "Change name" },
  {
    address: `/filter-settings?search=${SEARCH_ID}`,
    page: <FilterSettings />,
    needs: ["searches"],
    content: "Filter URL",
  },
];
const OF_VIEWS = {
  market_figures: () => [],
  "rpc my_find_points": () => ({
    ...{ listingId: [LISTING_ID], latitude: [40.42], longitude: [-3.7], isAddressShown: [true] },
    ...{ placeId: [null], priceEur: [300_000], mark: [null], isGone: [false] },
  }),
};
const LONG_MS = 25_000;

beforeEach(holdTime);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each(PAGES)(
  "CALM-01 WEB-01 an optional request that fails takes nothing away: $address",
  async (shown) => {
    const { address, page, needs, content } = shown;
    const look = async (fail: (answerer: Answerer) => void) => {
      signInForTest();
      const answerer = new Answerer({ ...STORED, ...OF_VIEWS });
      fail(answerer);
      await openPage(page, answerer, address);
      await pass(LONG_MS);
      const text = document.body.textContent ?? "";
      cleanup();
      localStorage.clear();
      return { text, names: answerer.names() };
    };
    const usual = await look(() => {});
    expect(usual.text).toContain(content);
    const missing: string[] = [];
    for (const [index, name] of usual.names.filter((one) => !needs.includes(one)).entries()) {
      const fault = FAULTS.filter((one) => one !== "late")[index % 4] ?? "503";
      const { text } = await look((answerer) => answerer.fail(name, fault));
      if (!text.includes(content)) missing.push(`${name} ${fault}`);
    }
    expect(missing).toEqual([]);
  },
);
