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
  keepDraft("alice", typed);
  expect(readDraft("alice")).toMatchObject({ url: typed.url, ids: "1, 2", step: 2, mode: "wizard" });
  expect(readDraft("bob")).toBeNull();
  dropDraft();
  expect(readDraft("alice")).toBeNull();
});

test("DOOR-17 a question that was open when the tab was reloaded is open after it", () => {
  const asked = { ...typed, base: { url: "https://www.idealista.com/x", ids: ["1"] } };
  keepDraft("alice", { ...asked, notice: "overtaken" });
  expect(readDraft("alice")?.notice).toBe("overtaken");
  keepDraft("alice", { ...asked, notice: "merged" });
  expect(readDraft("alice")?.notice).toBeNull();
});

test.each([["not JSON"], ["null"], ["[]"], ['{"userId":"alice"}'], ['{"userId":"alice","kept":{"url":1}}']])(
  "%s is no draft",
  (stored) => {
    kept.set(DRAFT_KEY, stored);
    expect(readDraft("alice")).toBeNull();
  },
);

test("storage that refuses forgets, and breaks nothing", () => {
  vi.stubGlobal("window", {});
  keepDraft("alice", typed);
  dropDraft();
  expect(readDraft("alice")).toBeNull();
});
