// Every request of each page answers in turn 503, 500, 429, nothing or late, while a person types. The requests are those that
// the page itself makes.
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Account } from "../features/account/account.tsx";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { Finds } from "../features/finds/finds.tsx";
import { Answerer, FAULTS, type Fault } from "./answerer.ts";
import { holdTime, openPage, pass, signInForTest } from "./open-page.tsx";
import { LISTING_ID, SEARCH_ID, STORED } from "./stored-rows.ts";

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface TypedPage {
  readonly name: string;
  readonly page: ReactNode;
  readonly address: string;
  /** Opens the form. Undefined if the page has none now. */
  readonly open: () => Promise<void> | void;
  readonly field: () => TextField | null;
}

const press = (name: RegExp) => {
  const [button] = screen.queryAllByRole("button", { name });
  if (button) act(() => button.click());
};
const fieldOf = (name: RegExp) => () => screen.queryAllByLabelText<TextField>(name)[0] ?? null;

const PAGES: readonly TypedPage[] = [
  {
    name: "the name in the profile",
    page: <Account />,
    address: "/profile",
    open: () => press(/^Change name/),
    field: fieldOf(/^(Full|New|Your)? ?name/i),
  },
  {
    name: "the message to advertisers",
    page: <Finds />,
    address: "/finds?view=settings",
    open: () => {},
    field: fieldOf(/^Who/),
  },
  {
    name: "the link of a search",
    page: <FilterSettings />,
    address: `/filter-settings?search=${SEARCH_ID}`,
    open: () => {},
    field: fieldOf(/^Filter URL/),
  },
  {
    name: "the quiet hours of a search",
    page: <FilterSettings />,
    address: `/filter-settings?search=${SEARCH_ID}#loud`,
    open: () => {},
    field: fieldOf(/^From/),
  },
  {
    name: "the rules of a search",
    page: <FilterSettings />,
    address: `/filter-settings?search=${SEARCH_ID}#rules`,
    open: () => {
      press(/^Add a rule/);
      press(/^Contains one of these words/);
    },
    field: fieldOf(/words/i),
  },
  {
    name: "the name of a search",
    page: <FilterSettings />,
    address: `/filter-settings?search=${SEARCH_ID}`,
    open: async () => {
      press(/^More/);
      await pass(100);
      press(/^Rename/);
    },
    field: fieldOf(/name/i),
  },
  {
    name: "a new place",
    page: <Finds />,
    address: "/finds?view=settings",
    open: () => press(/^Add a place/),
    field: fieldOf(/^Name/),
  },
  {
    name: "a note on a card",
    page: <Finds />,
    address: "/finds",
    open: () => press(/^Note/),
    field: fieldOf(/note/i),
  },
  {
    name: "a note in an opened home",
    page: <Finds />,
    address: `/finds?home=${LISTING_ID}`,
    open: () => press(/note/i),
    field: fieldOf(/note/i),
  },
];

/** The page asks again every ten seconds after a failure, and a request is repeated once before it counts as one. */
const LONG_MS = 25_000;
const LOADING_MS = 4_000;

beforeEach(() => {
  holdTime();
  signInForTest();
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Counts the alerts that are put into the page: a screen reader says each. */
function countAlerts(): { texts: string[]; stop(): void } {
  const texts: string[] = [];
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      const alerts = node.matches('[role="alert"]') ? [node] : [...node.querySelectorAll('[role="alert"]')];
      texts.push(...alerts.map(({ textContent }) => textContent ?? ""));
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return { texts, stop: () => observer.disconnect() };
}

/** The fault begins before the page is opened, or while the person types. */
type Begin = "before" | "while";

interface Trial {
  readonly answerer: Answerer;
  readonly begin: Begin;
  fail(): void;
}

/** Returns what went wrong for the person. */
async function type(shown: TypedPage, { answerer, begin, fail }: Trial): Promise<string[]> {
  const alerts = countAlerts();
  if (begin === "before") fail();
  const { queries } = await openPage(shown.page, answerer, shown.address);
  await pass(LOADING_MS);
  await shown.open();
  await pass(LOADING_MS);
  const field = shown.field();
  const [begun, whole] = field?.type === "time" ? ["21:00", "21:30"] : ["What I", "What I typed"];
  field?.focus();
  if (field) fireEvent.change(field, { target: { value: begun } });
  if (begin === "while") fail();
  void queries.invalidateQueries();
  await pass(LONG_MS);
  const later = shown.field();
  if (field) fireEvent.change(field, { target: { value: whole } });
  await pass(LOADING_MS);
  alerts.stop();
  const repeated = [...new Set(alerts.texts)].filter(
    (text) => alerts.texts.indexOf(text) !== alerts.texts.lastIndexOf(text),
  );
  const saidAgain = repeated.map((text) => `said again: ${text}`);
  // The page needs the answer for the form itself.
  if (!field) return begin === "before" ? saidAgain : ["no field"];
  return [
    ...(later === field && shown.field() === field ? [] : ["another field"]),
    ...(field.value === whole ? [] : [`the field has "${field.value}"`]),
    ...(document.activeElement === field ? [] : ["the focus is gone"]),
    ...saidAgain,
  ];
}

/** Without a fault. Returns the requests that the page makes. */
async function requestsOf(shown: TypedPage): Promise<string[]> {
  const answerer = new Answerer(STORED);
  expect(await type(shown, { answerer, begin: "while", fail: () => {} })).toEqual([]);
  cleanup();
  const names = answerer.names();
  expect(names.length).toBeGreaterThan(1);
  return names;
}

async function lossesOf(shown: TypedPage, name: string, fault: Fault, begin: Begin): Promise<string[]> {
  const answerer = new Answerer(STORED);
  const losses = await type(shown, { answerer, begin, fail: () => answerer.fail(name, fault) });
  cleanup();
  return losses.map((loss) => `${name} ${fault} ${begin}: ${loss}`);
}

test.each(PAGES)("WEB-01 WEB-02 nothing typed is lost, and a failure is said once: $name", async (shown) => {
  const losses: string[] = [];
  for (const [index, name] of (await requestsOf(shown)).entries())
    losses.push(...(await lossesOf(shown, name, FAULTS[index % FAULTS.length] ?? "503", "before")));
  expect(losses).toEqual([]);
});

test.each(PAGES)(
  "WEB-01 WEB-02 the same for every fault of every request, before and while the person types: $name",
  { tags: "long" },
  async (shown) => {
    const losses: string[] = [];
    for (const name of await requestsOf(shown)) {
      for (const fault of FAULTS) {
        losses.push(...(await lossesOf(shown, name, fault, "before")));
        losses.push(...(await lossesOf(shown, name, fault, "while")));
      }
    }
    expect(losses).toEqual([]);
  },
);
