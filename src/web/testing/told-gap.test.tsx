// What the page of searches says of a time in which homes may have been missed.
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { Answerer } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { SEARCH_ID, STORED } from "./stored-rows.ts";
import { SearchRows } from "./stored-searches.ts";

setUpPages();

const OTHER_ID = "00000000-0000-4000-8000-0000000000aa";
/** In Spain an hour later. */
const LAST_GAP = { from: "2026-01-05T09:00:00Z", until: "2026-01-05T13:00:00Z" };
const SAID =
  "5 Jan, 10:00 to 5 Jan, 14:00: Sereno may have missed listings. It has read back as far as it could.";

/** The searches of the person, which are all watched, with their last gaps. */
async function openSettings(gaps: Readonly<Record<string, typeof LAST_GAP | null>>) {
  const [watch] = (STORED["rpc my_watches"]?.() ?? []) as object[];
  const answerer = new Answerer(STORED);
  const answerWith = (all: typeof gaps) =>
    answerer.answer("rpc my_watches", () =>
      Object.entries(all).map(([id, last_gap]) => ({ ...watch, id, last_gap })),
    );
  answerWith(gaps);
  new SearchRows(Object.keys(gaps).map((id, n) => ({ id, is_first: n === 0 }))).answer(answerer);
  const { queries } = await openPage(<FilterSettings />, answerer, "/filter-settings");
  await pass(4_000);
  return { queries, answerWith };
}

const gaps = () => screen.queryAllByText(/may have missed/).map(({ textContent }) => textContent);
const states = () => screen.queryAllByText("Watching for new listings").length;

test("COVER-02 the page of a watched search says its gap below its state, and that it is over when it is no longer told", async () => {
  const { queries, answerWith } = await openSettings({ [SEARCH_ID]: LAST_GAP });
  expect([gaps(), states()]).toEqual([[SAID], 1]);
  const [said] = screen.getAllByText(SAID);
  expect(said?.closest("[role=status]")?.textContent).toBe(`Watching for new listings${SAID}`);
  answerWith({ [SEARCH_ID]: null });
  await act(() => queries.invalidateQueries());
  await pass(4_000);
  expect([gaps(), states()]).toEqual([[], 1]);
});

test("COVER-02 of several watched searches the card of the one with a gap says so, and the others say nothing", async () => {
  await openSettings({ [SEARCH_ID]: null, [OTHER_ID]: LAST_GAP });
  const cards = screen.getAllByRole("article").map(({ textContent }) => textContent?.includes(SAID));
  expect(cards).toEqual([false, true]);
  expect(gaps()).toEqual([SAID]);
});
