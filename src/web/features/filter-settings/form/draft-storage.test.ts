import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DRAFT_KEY, dropDraft, keepDraft, readDraft } from "./draft-storage.ts";
import { stateOf } from "./form-state.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("window", {
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const typed = { ...stateOf(null), url: "https://www.idealista.com/", ids: "1, 2", step: 2 as const };

test("what was typed comes back to the person who typed it, and to nobody else", () => {
  keepDraft("alice", "new", typed);
  expect(readDraft("alice", "new")).toMatchObject({ url: typed.url, ids: "1, 2", step: 2, mode: "wizard" });
  expect(readDraft("bob", "new")).toBeNull();
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
});

test("DOOR-17 a question that was open when the tab was reloaded is open after it", () => {
  const asked = { ...typed, base: { url: "https://www.idealista.com/x", ids: ["1"] } };
  keepDraft("alice", "new", { ...asked, notice: "overtaken" });
  expect(readDraft("alice", "new")?.notice).toBe("overtaken");
  keepDraft("alice", "new", { ...asked, notice: "merged" });
  expect(readDraft("alice", "new")?.notice).toBeNull();
});

test("MANY-01 each search has a draft of its own", () => {
  keepDraft("alice", "new", typed);
  keepDraft("alice", "a", { ...typed, ids: "9" });
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
  expect(readDraft("alice", "a")).toMatchObject({ ids: "9" });
  dropDraft("alice", "a");
  expect([...kept]).toEqual([]);
});

test.each([
  ["not JSON"],
  ["null"],
  ["[]"],
  ['{"userId":"alice"}'],
  ['{"userId":"alice","drafts":{"new":{"url":1}}}'],
])("%s is no draft", (stored) => {
  kept.set(DRAFT_KEY, stored);
  expect(readDraft("alice", "new")).toBeNull();
});

test("storage that refuses forgets, and breaks nothing", () => {
  vi.stubGlobal("window", {});
  keepDraft("alice", "new", typed);
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
});
