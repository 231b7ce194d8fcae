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

test("a draft is restored for its author only", () => {
  keepDraft("alice", "new", typed);
  expect(readDraft("alice", "new")).toMatchObject({ url: typed.url, ids: "1, 2", step: 2, mode: "wizard" });
  expect(readDraft("bob", "new")).toBeNull();
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
});

test("DOOR-17 an open question stays open after a reload", () => {
  const asked = { ...typed, base: { url: "https://www.idealista.com/x", ids: ["1"] } };
  keepDraft("alice", "new", { ...asked, notice: "overtaken" });
  expect(readDraft("alice", "new")?.notice).toBe("overtaken");
  keepDraft("alice", "new", { ...asked, notice: "merged" });
  expect(readDraft("alice", "new")?.notice).toBeNull();
});

test("MANY-01 each search has its own draft", () => {
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
])("%s is not a draft", (stored) => {
  kept.set(DRAFT_KEY, stored);
  expect(readDraft("alice", "new")).toBeNull();
});

test("blocked storage loses drafts and causes no error", () => {
  vi.stubGlobal("window", {});
  keepDraft("alice", "new", typed);
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
});
