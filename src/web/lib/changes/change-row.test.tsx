import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Answerer } from "../../testing/answerer.ts";
import { holdTime, pass, signInForTest } from "../../testing/open-page.tsx";
import { STORED } from "../../testing/stored-rows.ts";
import type { RowChange } from "./change.ts";
import { changeRow } from "./change-row.ts";

beforeEach(() => {
  holdTime();
  signInForTest();
});

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const RULE = { on: "warning", kind: "auction", act: "leave-out" } as const;
const CHANGES: [string, Pick<RowChange, "kind" | "before" | "mine">, string, string][] = [
  ["no rules", { kind: "search", before: { rules: [] }, mine: { rules: [RULE] } }, "rules", "eq.[]"],
  [
    "rules",
    { kind: "search", before: { rules: [RULE] }, mine: { rules: [] } },
    "rules",
    `eq.${JSON.stringify([RULE])}`,
  ],
  [
    "an empty set",
    { kind: "settings", before: { hidden_warnings: [] }, mine: { hidden_warnings: ["auction"] } },
    "hidden_warnings",
    "eq.{}",
  ],
  [
    "a set",
    { kind: "settings", before: { hidden_warnings: ["auction"] }, mine: { hidden_warnings: [] } },
    "hidden_warnings",
    'eq.{"auction"}',
  ],
];

for (const [name, change, column, condition] of CHANGES) {
  test(`RULE-02 a change of ${name} names what it replaces as the type of its column is written`, async () => {
    const answerer = new Answerer(STORED);
    const conditions: (string | null)[] = [];
    for (const table of ["searches", "find_settings"])
      answerer.answer(`PATCH ${table}`, ({ url }) => {
        conditions.push(url.searchParams.get(column));
        return [{ id: "x" }];
      });
    vi.stubGlobal("fetch", answerer.fetch);
    const changed = changeRow({ ...change, userId: "x", ofId: "y", title: "" });
    await pass(3_000);
    await changed;
    expect(conditions).toEqual([condition]);
  });
}
