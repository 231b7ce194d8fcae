import { expect, test } from "vitest";
import { demoListingOf, EMOJIS } from "./demo-listing.ts";

const now = new Date("2026-11-15T12:00:00Z");
const row = { id: "1", created_at: "2026-11-15T11:58:00Z", details: { title: "Flat" } };

test("DEMO-07 a listing keeps its picture when the list is loaded again", () => {
  const { emoji } = demoListingOf(row, now);
  expect(EMOJIS).toContain(emoji);
  for (let again = 0; again < 20; again += 1) expect(demoListingOf(row, now).emoji).toBe(emoji);
});

test("DEMO-07 pictures differ from listing to listing", () => {
  const pictures = Array.from(
    { length: 200 },
    (_, id) => demoListingOf({ ...row, id: `many-${id}` }, now).emoji,
  );
  expect(new Set(pictures).size).toBe(EMOJIS.length);
});

test("DEMO-08 a row without a readable time counts as found now", () => {
  expect(demoListingOf({ ...row, created_at: "not a time" }, now).foundAt).toBe(now);
  expect(demoListingOf(row, now).foundAt.toISOString()).toBe("2026-11-15T11:58:00.000Z");
});
