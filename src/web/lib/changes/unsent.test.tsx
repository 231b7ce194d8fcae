// Two tabs of one person, another device and a connection that comes and goes, in generated orders.
import { onlineManager } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SEQUENCE_SEED, seeded, sequenceRuns } from "#test/seeded.ts";
import { Answerer } from "../../testing/answerer.ts";
import { holdTime, pass, signInForTest } from "../../testing/open-page.tsx";
import { PERSON } from "../../testing/person.ts";
import { STORED } from "../../testing/stored-rows.ts";
import type { RowChange } from "./change.ts";
import type { StoredChange, UnsentDisk } from "./unsent.ts";

interface Tab {
  unsent: typeof import("./unsent.ts");
  sender: typeof import("./send-unsent.ts");
}

beforeEach(() => {
  holdTime();
  signInForTest();
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, run: () => Promise<unknown>) => {
    last = last.catch(() => undefined).then(run);
    return last;
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
});

afterEach(() => {
  localStorage.clear();
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});

/** IndexedDB, which the tabs share. */
function createDisk(): UnsentDisk & { rows: Map<string, StoredChange> } {
  const rows = new Map<string, StoredChange>();
  return {
    rows,
    load: async () => [...rows.values()].map((row) => structuredClone(row)),
    put: async (row) => void rows.set(row.id, structuredClone(row)),
    remove: async (id) => void rows.delete(id),
  };
}

async function openTab(disk: UnsentDisk): Promise<Tab> {
  vi.resetModules();
  const tab = { unsent: await import("./unsent.ts"), sender: await import("./send-unsent.ts") };
  await tab.unsent.openDisk(disk);
  return tab;
}

/** The notes of the server, and each text that was written by the tabs. */
function createServer() {
  const notes = new Map<string, string | null>();
  const written: string[] = [];
  const answerer = new Answerer({
    ...STORED,
    "rpc note_find": ({ body }) => {
      const { listing_id, note = null, replaces } = body as Record<string, never> & { listing_id: string };
      const saved = notes.get(listing_id) ?? null;
      const before = (replaces as { note: string | null } | undefined)?.note ?? null;
      if (saved !== before && saved !== note)
        return Response.json({ code: "PT409", message: "", details: "changed-elsewhere" }, { status: 409 });
      if (saved !== note) written.push(String(note));
      notes.set(listing_id, note);
      return null;
    },
    "rpc my_find": ({ body }) => ({ note: notes.get((body as { listing_id: string }).listing_id) ?? null }),
  });
  return { notes, written, answerer };
}

const noteOf = (listing: string, before: string | null, mine: string): RowChange => ({
  ...{ kind: "note", userId: PERSON.id, ofId: listing, homeId: listing, title: listing },
  ...{ before: { note: before }, mine: { note: mine } },
});

const RUNS = sequenceRuns(15);

/** One generated run: twelve acts of the tabs, of another device and of the connection. */
async function play(seed: number) {
  const random = seeded(seed);
  const draw = (below: number) => Math.floor(random() * below);
  const disk = createDisk();
  const { notes, written, answerer } = createServer();
  vi.stubGlobal("fetch", answerer.fetch);
  const tabs = [await openTab(disk), await openTab(disk)];
  /** Each note with what the person saw when they wrote it. */
  const made = new Map<string, string | null>();
  const write = (tab: Tab, listing: string, text: string) => {
    const unsent = tab.unsent.unsentChanges().findLast((row) => row.ofId === listing && !row.question);
    const seen = unsent ? (unsent.mine.note as string) : (notes.get(listing) ?? null);
    made.set(text, seen);
    if (draw(3) === 0) answerer.fail("rpc note_find", "503");
    void tab.sender.sendOrWait(noteOf(listing, seen, text));
  };
  const acts = [
    () => onlineManager.setOnline(!onlineManager.isOnline()),
    (_: Tab, listing: string, step: number) => void notes.set(listing, `elsewhere ${step}`),
    async (tab: Tab) => {
      tabs[tabs.indexOf(tab)] = await openTab(disk);
    },
    (tab: Tab, listing: string, step: number) => write(tab, listing, `note ${step}`),
    (tab: Tab, listing: string, step: number) => write(tab, listing, `note ${step}`),
  ];
  for (let step = 0; step < 12; step++) {
    await acts[draw(acts.length)]?.(tabs[draw(2)] as Tab, `home ${draw(2)}`, step);
    await pass(600);
    answerer.recover();
  }
  onlineManager.setOnline(true);
  for (const tab of tabs) void tab.sender.sendUnsent();
  await pass(120_000);
  return { made, written, left: [...disk.rows.values()] };
}

test(`WEB-03 CALM-04 no change of two tabs is dropped without a word, and none is made twice (seed ${SEQUENCE_SEED})`, async () => {
  for (let seed = SEQUENCE_SEED; seed < SEQUENCE_SEED + RUNS; seed++) {
    const { made, written, left } = await play(seed);
    expect(
      left.filter(({ question }) => !question),
      `seed ${seed}`,
    ).toEqual([]);
    expect(new Set(written).size, `seed ${seed}`).toBe(written.length);
    // A note that the person has written over in full sight of it is told with the later one.
    const isTold = (text: string): boolean =>
      written.includes(text) ||
      left.some(({ mine }) => mine.note === text) ||
      [...made].some(([later, seen]) => seen === text && isTold(later));
    expect(
      [...made.keys()].filter((text) => !isTold(text)),
      `seed ${seed}`,
    ).toEqual([]);
  }
});

test("WEB-03 a mistake of ours becomes a question, and what is behind it is sent", async () => {
  const disk = createDisk();
  const { written, answerer } = createServer();
  vi.stubGlobal("fetch", answerer.fetch);
  const tab = await openTab(disk);
  onlineManager.setOnline(false);
  const broken = { ...noteOf("home 0", null, "lost?"), mine: null } as unknown as RowChange;
  await tab.sender.sendOrWait(broken);
  await tab.sender.sendOrWait(noteOf("home 1", null, "sent"));
  const later = await openTab(disk);
  onlineManager.setOnline(true);
  await later.sender.sendUnsent();
  expect(written).toEqual(["sent"]);
  expect([...disk.rows.values()].map(({ ofId, question }) => [ofId, question?.refusal])).toEqual([
    ["home 0", ""],
  ]);
});

test("WEB-03 a second question about a note does not replace the first, unless it was written over it", async () => {
  const disk = createDisk();
  const { notes, answerer } = createServer();
  vi.stubGlobal("fetch", answerer.fetch);
  const [here, there] = [await openTab(disk), await openTab(disk)];
  notes.set("home 0", "theirs");
  await here.sender.sendOrWait(noteOf("home 0", null, "of one tab"));
  await there.sender.sendOrWait(noteOf("home 0", null, "of the other"));
  const asked = () => [...disk.rows.values()].map(({ mine }) => mine.note);
  expect(asked()).toEqual(["of one tab", "of the other"]);
  await there.sender.sendOrWait(noteOf("home 0", "of the other", "of the other, longer"));
  await here.sender.sendOrWait(noteOf("home 0", null, "of one tab"));
  expect(asked()).toEqual(["of the other, longer", "of one tab"]);
});

test("WEB-03 a change that fails without end becomes a question", async () => {
  const disk = createDisk();
  const { answerer } = createServer();
  vi.stubGlobal("fetch", answerer.fetch);
  const tab = await openTab(disk);
  answerer.fail("rpc note_find", "503");
  await tab.sender.sendOrWait(noteOf("home 0", null, "late"));
  expect([...disk.rows.values()].map(({ attempts, question }) => [attempts, question])).toEqual([
    [1, undefined],
  ]);
  for (let minute = 0; minute < 30; minute++) await pass(60_000);
  expect([...disk.rows.values()].map(({ question }) => question?.refusal)).toEqual([""]);
});
test("WEB-03 a change that is made while another tab's changes are read stays", async () => {
  const disk = createDisk();
  const { load } = disk;
  let finish = () => {};
  const tab = await openTab(disk);
  disk.load = async () => {
    const loaded = await load();
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return loaded;
  };
  const reading = tab.unsent.readDisk();
  await pass(10);
  const row = { ...noteOf("home 0", null, "kept"), id: "1", version: 1, attempts: 0 };
  await tab.unsent.keepUnsent(row);
  finish();
  await pass(10);
  disk.load = load;
  finish();
  await reading;
  expect(tab.unsent.unsentChanges()).toEqual([row]);
});
