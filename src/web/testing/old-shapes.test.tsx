// What other versions have stored in this browser: named shapes, and generated ones.
import { cleanup, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SEQUENCE_SEED, seeded, sequenceRuns } from "#test/seeded.ts";
import { useOfflineStore } from "../app/offline/use-offline-store.ts";
import { PageBoundary } from "../components/crash.tsx";
import { Account } from "../features/account/account.tsx";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { Finds } from "../features/finds/finds.tsx";
import { showToastsWith } from "../lib/browser/toast.ts";
import { closeDisk } from "../lib/changes/unsent.ts";
import { Answerer } from "./answerer.ts";
import { holdTime, openPage, pass, signInForTest } from "./open-page.tsx";
import { PERSON } from "./person.ts";
import { LISTING_ID, SEARCH_ID, STORED } from "./stored-rows.ts";
import { press } from "./typed-form.ts";

/** IndexedDB. */
const disk = vi.hoisted(() => new Map<string, unknown>());
vi.mock("idb-keyval", () => ({
  createStore: () => undefined,
  get: async (key: string) => structuredClone(disk.get(key)),
  set: async (key: string, value: unknown) => void disk.set(key, structuredClone(value)),
  del: async (key: string) => void disk.delete(key),
  keys: async () => [...disk.keys()],
  entries: async () => [...disk].map(([key, value]) => [key, structuredClone(value)]),
  clear: async () => disk.clear(),
}));

let told: string[] = [];
let stopToasts = () => {};

beforeEach(() => {
  holdTime();
  signInForTest();
  told = [];
  stopToasts = showToastsWith(({ title }) => told.push(title));
});

afterEach(() => {
  stopToasts();
  closePage();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function closePage(): void {
  cleanup();
  closeDisk();
  disk.clear();
  sessionStorage.clear();
}

function Stored({ children }: { children: ReactNode }) {
  useOfflineStore();
  return <PageBoundary>{children}</PageBoundary>;
}

const PAGES = [
  { address: "/finds", page: <Finds />, content: "Calle de Prueba, 1" },
  { address: "/profile", page: <Account />, content: "Change name" },
  { address: `/filter-settings?search=${SEARCH_ID}`, page: <FilterSettings />, content: "Filter URL" },
] as const;

async function open({ page, address }: (typeof PAGES)[number], answerer = new Answerer(STORED)) {
  vi.spyOn(console, "error").mockReturnValue();
  await openPage(<Stored>{page}</Stored>, answerer, address);
  await pass(6_000);
  return document.body.textContent ?? "";
}

const ID = `000001700000000 ${SEARCH_ID}`;
const CHANGES = `${PERSON.id}/change/`;
const ANSWERS = `${PERSON.id}/pages`;
const NOTE = {
  ...{ id: ID, kind: "note", version: 1, userId: PERSON.id, ofId: LISTING_ID, homeId: `home ${LISTING_ID}` },
  ...{ title: "Piso", before: { note: null }, mine: { note: "kept" }, attempts: 0 },
};

/** By invented version: what its queue has left. */
const QUEUES: Readonly<Record<string, Record<string, unknown>>> = {
  "a queue of each tab": {
    [`${PERSON.id}/queue/tab`]: JSON.stringify({ clientState: { mutations: [{}, {}] } }),
  },
  "a kind that is gone": { [CHANGES + ID]: { ...NOTE, kind: "pause", mine: { isPaused: true } } },
  "a version to come": { [CHANGES + ID]: { ...NOTE, version: 9, mine: { note: { text: "x" } } } },
  "values of another form": { [CHANGES + ID]: { ...NOTE, mine: { note: { text: "x" } } } },
  "rows under other names": { [`${CHANGES}1`]: NOTE },
  "a question of another form": { [CHANGES + ID]: { ...NOTE, question: { theirs: "theirs" } } },
  "a change of nothing": { [CHANGES + ID]: { ...NOTE, mine: [] } },
  "no rows at all": { [CHANGES + ID]: null, [`${PERSON.id}/conflicts`]: "[{" },
};

test.each(Object.entries(QUEUES))(
  "WEB-04 a change that cannot be read is dropped with a word, and the next one is sent: %s",
  async (_, entries) => {
    for (const [key, value] of Object.entries(entries)) disk.set(key, value);
    const answerer = new Answerer({ ...STORED, "rpc mark_find": () => null });
    expect(await open(PAGES[0], answerer)).toContain(PAGES[0].content);
    expect(told).toEqual(["We couldn't save that"]);
    expect([...disk.keys()].filter((key) => key !== ANSWERS)).toEqual([]);
    await press(/^Keep/);
    await pass(4_000);
    expect(
      answerer.asked.filter(({ name, isAnswered }) => name === "rpc mark_find" && isAnswered),
    ).toHaveLength(1);
    expect([...disk.keys()].filter((key) => key !== ANSWERS)).toEqual([]);
  },
);

/** By invented version: what it has kept of a form that was not sent. */
const DRAFTS: Readonly<Record<string, string>> = {
  "not JSON": "{",
  "a list": "[]",
  "one draft for all searches": JSON.stringify({ userId: PERSON.id, url: "x" }),
  "drafts in a list": JSON.stringify({ userId: PERSON.id, drafts: [{ id: SEARCH_ID, url: "x" }] }),
  "fields of another form": JSON.stringify({ userId: PERSON.id, drafts: { [SEARCH_ID]: { url: 1 } } }),
};

test.each(Object.entries(DRAFTS))(
  "WEB-04 a draft that cannot be read is dropped with a word, and the form opens: %s",
  async (_, draft) => {
    sessionStorage.setItem("filterDraft", draft);
    expect(await open(PAGES[2])).toContain(PAGES[2].content);
    expect(screen.getByLabelText<HTMLInputElement>("Filter URL").value).toContain("venta-viviendas");
    expect(told).toEqual(["We couldn't restore what you typed"]);
    expect(sessionStorage.getItem("filterDraft")).toBeNull();
  },
);

/** Another version of a value: a part of it is gone, or is something else. */
function changed(value: unknown, random: () => number): unknown {
  const parts = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const [part] = parts.slice(Math.floor(random() * parts.length));
  if (part === undefined || random() < 0.1) {
    const others = [null, 7, "text", [], {}, [null], { list: [] }, undefined];
    return others[Math.floor(random() * others.length)];
  }
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  if (random() < 0.2) delete copy[part];
  else copy[part] = changed(copy[part], random);
  return copy;
}

const RUNS = sequenceRuns(4);

/** Opens a page over what is stored. Returns what is wrong for the person. */
async function troublesOf(
  shown: (typeof PAGES)[number],
  entries: Record<string, unknown>,
): Promise<string[]> {
  signInForTest();
  told = [];
  for (const [key, value] of Object.entries(entries)) disk.set(key, value);
  const answerer = new Answerer({ ...STORED, "rpc note_find": () => null });
  const text = await open(shown, answerer);
  await pass(60_000);
  const isSent = answerer.asked.some(({ name, isAnswered }) => name === "rpc note_find" && isAnswered);
  const isLeft = [...disk.keys()].some((key) => key.startsWith(CHANGES));
  const note = JSON.stringify(entries[CHANGES + ID]);
  const troubles = [
    ...(text.includes(shown.content) ? [] : [`it shows ${text}`]),
    ...(isSent === isLeft && told.length === 0 ? [`it has dropped ${note}`] : []),
    ...(isSent && isLeft ? [`it sends again ${note}`] : []),
  ];
  closePage();
  return troubles.map((trouble) => `${shown.address}: ${trouble}`);
}

test(`WEB-04 generated changes of what is stored leave no page unusable (seed ${SEQUENCE_SEED})`, async () => {
  await open(PAGES[0]);
  const answers = JSON.parse(String(disk.get(ANSWERS)));
  expect(answers.clientState.queries.length).toBeGreaterThan(3);
  closePage();
  const troubles: string[] = [];
  for (let run = 0; run < RUNS; run++) {
    const random = seeded(SEQUENCE_SEED * 1_000 + run);
    const otherState = (state: { data: unknown }) =>
      random() < 0.7 ? { ...state, data: changed(state.data, random) ?? null } : state;
    const queries = answers.clientState.queries.map((query: { state: { data: unknown } }) => ({
      ...query,
      state: otherState(query.state),
    }));
    const stored = JSON.stringify({ ...answers, clientState: { ...answers.clientState, queries } });
    const entries = {
      [ANSWERS]: random() < 0.1 ? "not JSON" : stored,
      [CHANGES + ID]: changed(NOTE, random),
    };
    for (const shown of PAGES)
      troubles.push(...(await troublesOf(shown, entries)).map((trouble) => `run ${run} ${trouble}`));
  }
  expect(troubles).toEqual([]);
});
