import { expect, test } from "vitest";
import { momentHere } from "./moment-here.ts";

const moment = new Date("2026-11-14T22:05:00Z");

test("LANG-08 the page's times name the zone of a device whose clock differs from Spanish clocks at that moment", () => {
  const timeIn = (timeZone: string, at = moment) =>
    momentHere(at, "en", { timeZone, dateStyle: "medium", timeStyle: "short" });
  expect(timeIn("Europe/Madrid")).toBe("14 Nov 2026, 23:05");
  expect(timeIn("Europe/Berlin")).toBe("14 Nov 2026, 23:05");
  expect(timeIn("Atlantic/Canary")).toBe("14 Nov 2026, 22:05 (GMT+0)");
  expect(timeIn("America/Bogota")).toBe("14 Nov 2026, 17:05 (GMT-5)");
  expect(timeIn("Europe/London", new Date("2026-07-01T12:00:00Z"))).toBe("1 Jul 2026, 13:00 (GMT+1)");
  // As in Spain in winter only.
  expect(timeIn("Africa/Lagos")).toBe("14 Nov 2026, 23:05");
  expect(timeIn("Africa/Lagos", new Date("2026-07-01T12:00:00Z"))).toBe("1 Jul 2026, 13:00 (GMT+1)");
  expect(momentHere(moment, "fr", { timeZone: "Europe/London", timeStyle: "short" })).toBe(
    "22\u00a0h\u00a005 (UTC+0)",
  );
  expect(momentHere(moment, "en", { timeZone: "Europe/London", dateStyle: "medium" })).toBe("14 Nov 2026");
});
