import { expect, test } from "vitest";
import { waitUntil } from "./next-check.tsx";

test("the time to the next check is in whole minutes, hours or days, and undefined once it is due", () => {
  const now = new Date("2026-11-15T10:00:00Z");
  expect(waitUntil("2026-11-15T10:00:01Z", now)).toEqual({ count: 1, unit: "minute" });
  expect(waitUntil("2026-11-15T10:07:00Z", now)).toEqual({ count: 7, unit: "minute" });
  expect(waitUntil("2026-11-15T15:30:00Z", now)).toEqual({ count: 6, unit: "hour" });
  expect(waitUntil("2026-11-18T09:00:00Z", now)).toEqual({ count: 3, unit: "day" });
  expect(waitUntil("2026-11-15T10:00:00Z", now)).toBeUndefined();
});
