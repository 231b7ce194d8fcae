import { expect, test } from "vitest";
import { searchOf } from "./searches.ts";

test("ONE-04 a saved search has the rules that can be read, and what is stored", () => {
  const agency = { on: "advertiser", is: "agency", act: "silent" };
  const blank = { on: "words", are: "present", words: [" "], act: "silent" };
  const search = searchOf({
    ...{ id: "1", filter_url: "x", receiver_ids: [], name: null, is_paused: false, is_folded: false },
    ...{ quiet_from: null, quiet_until: null, is_first: true, created_at: "2026-11-18T00:00:00Z" },
    rules: [blank, agency, { on: "haunted" }],
  });
  expect([search.rules, search.storedRules.length]).toEqual([[agency], 3]);
});
