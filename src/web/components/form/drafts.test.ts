import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropDraft, dropDrafts, keepDraft, readDraft } from "./drafts.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  dropDrafts();
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

const DRAFT_KEY = "filterDraft";
const values = { url: "https://www.idealista.com/", ids: "1, 2" };
const typed = { typed: values, before: { url: "", ids: "" }, shown: values };

test("a draft is restored for its author only", () => {
  keepDraft("alice", "new", typed);
  expect(readDraft("alice", "new")).toEqual(typed);
  expect(readDraft("bob", "new")).toBeNull();
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
});

test("MANY-01 each search has its own draft", () => {
  keepDraft("alice", "new", typed);
  keepDraft("alice", "a", { ...typed, typed: { ids: "9" } });
  dropDraft("alice", "new");
  expect(readDraft("alice", "new")).toBeNull();
  expect(readDraft("alice", "a")).toMatchObject({ typed: { ids: "9" } });
  dropDraft("alice", "a");
  expect([...kept]).toEqual([]);
});

test.each([
  ["not JSON"],
  ["null"],
  ["[]"],
  ['{"userId":"alice"}'],
  ['{"userId":"alice","drafts":{"new":{"url":1}}}'],
  ['{"userId":"alice","drafts":{"new":{"version":9,"fields":[["url","x"]]}}}'],
  ['{"userId":"alice","drafts":["new"]}'],
  ['{"userId":"alice","drafts":{"new":{"url":"https://x","ids":"1","step":2,"seenChats":[],"base":null}}}'],
])("%s is not a draft", (stored) => {
  kept.set(DRAFT_KEY, stored);
  expect(readDraft("alice", "new")).toBeNull();
});
