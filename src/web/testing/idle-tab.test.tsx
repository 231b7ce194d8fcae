// What an open page asks while nothing happens. It asks at intervals only what realtime does not announce.
import { cleanup } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Account } from "../features/account/account.tsx";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { previewQuery } from "../features/filter-settings/search/fetch-preview.ts";
import { Finds } from "../features/finds/finds.tsx";
import { createQueryClient } from "../lib/backend/query-client.ts";
import { closeDisk } from "../lib/changes/unsent.ts";
import { Answerer } from "./answerer.ts";
import { connectRealtime, holdTime, openPage, pass, signInForTest } from "./open-page.tsx";
import { PERSON } from "./person.ts";
import { SEARCH_ID, STORED } from "./stored-rows.ts";

const IDLE_MS = 120_000;
const MOST_ASKED = 6;

let showEndOfList = () => {};

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(onSeen: (entries: object[]) => void) {
        showEndOfList = () => onSeen([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  holdTime();
  signInForTest();
});

afterEach(() => {
  cleanup();
  closeDisk();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function askedWhileIdle(page: ReactNode, address: string): Promise<string[]> {
  const answerer = new Answerer(STORED);
  await openPage(page, answerer, address);
  await pass(5_000);
  const before = answerer.asked.length;
  expect(before).toBeGreaterThan(2);
  for (let passed = 0; passed < IDLE_MS; passed += 10_000) await pass(10_000);
  return answerer.asked.slice(before).map(({ name }) => name);
}

const PAGES: readonly [string, ReactNode][] = [
  [`/filter-settings?search=${SEARCH_ID}`, <FilterSettings key="search" />],
  ["/finds", <Finds key="finds" />],
  ["/profile", <Account key="profile" />],
];

for (const [address, page] of PAGES)
  test(`an idle tab at ${address} asks at most ${MOST_ASKED} times in two minutes while realtime is connected`, async () => {
    connectRealtime();
    expect((await askedWhileIdle(page, address)).length).toBeLessThanOrEqual(MOST_ASKED);
  });

test("without realtime an open search asks for its chats, its watch and its mails at intervals", async () => {
  const asked = await askedWhileIdle(<FilterSettings />, `/filter-settings?search=${SEARCH_ID}`);
  expect(asked).toEqual(expect.arrayContaining(["chats", "rpc my_watches", "received_mails"]));
  expect(asked.filter((name) => name === "chats").length).toBeGreaterThanOrEqual(5);
});

test("a chat list that could not be loaded recovers by itself, also while realtime is connected", async () => {
  connectRealtime();
  const answerer = new Answerer(STORED);
  answerer.fail("chats", "503");
  const { container } = await openPage(<FilterSettings />, answerer, `/filter-settings?search=${SEARCH_ID}`);
  await pass(5_000);
  expect(container.textContent).not.toContain("Ana");
  answerer.recover();
  await pass(12_000);
  expect(container.textContent).toContain("Ana");
});

test("a preview that is no longer wanted asks nothing more, also if it is given up during a request", async () => {
  const answerer = new Answerer({});
  const queries = createQueryClient();
  const query = previewQuery(PERSON.id, "https://www.idealista.com/venta-viviendas/madrid-madrid/");
  answerer.answer("config.json", () => ({ supabaseUrl: "/", publishableKey: "key" }));
  answerer.answer("rpc preview_search", async () => {
    // Given up while the request is under way.
    void queries.cancelQueries(query);
    return null;
  });
  vi.stubGlobal("fetch", answerer.fetch);
  const outcome = queries.fetchQuery(query).catch((error: unknown) => error);
  await pass(60_000);
  await outcome;
  expect(answerer.asked.filter(({ name }) => name === "rpc preview_search")).toHaveLength(1);
});

test("a card that is seen is never older than ten minutes, wherever it stands in the list", async () => {
  const answerer = new Answerer(STORED);
  const { finds } = { ...(STORED["rpc my_finds"]?.() as { finds: object[] }) };
  let priceEur = 300_000;
  answerer.answer("rpc my_finds", ({ body }) => {
    const isSecond = (body as { after?: string }).after !== undefined;
    const home = { ...finds[0], priceEur, homeId: isSecond ? "second" : "first" };
    return { finds: [home], next: isSecond ? null : "cursor", count: 2, zones: [] };
  });
  const { container } = await openPage(<Finds />, answerer, "/finds");
  await pass(5_000);
  // A page below the screen is loaded before it is reached.
  showEndOfList();
  await pass(5_000);
  expect(container.querySelectorAll("[data-find]")).toHaveLength(2);
  priceEur = 290_000;
  await pass(9 * 60_000);
  expect(container.textContent).not.toContain("290,000");
  await pass(3 * 60_000);
  expect(container.textContent?.match(/290,000/g)).toHaveLength(2);
});
