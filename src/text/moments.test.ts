import { expect, test } from "vitest";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { formatMoment } from "./moments.ts";

const moment = new Date("2026-11-14T22:05:00Z");
const inAll = (style: Omit<Parameters<typeof formatMoment>[2], "timeZone">, at = moment) =>
  SPECIFIED_LANGUAGES.map((language) =>
    formatMoment(at, language, { ...style, timeZone: "Europe/Madrid" }).replaceAll(/[\u00a0\u202f]/g, " "),
  );

test("LANG-08 times use 24 hours, and French writes them with an h", () => {
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  expect(inAll(time)).toEqual(["23:05", "23:05", "23:05", "23:05", "23 h 05"]);
  expect(inAll({ timeStyle: "short" })).toEqual(inAll(time));
  expect(formatMoment(moment, "fr", { timeZone: "Europe/Madrid", timeStyle: "short" })).toBe(
    "23\u00a0h\u00a005",
  );
  expect(inAll({ day: "numeric", month: "short", ...time })).toEqual([
    "14 Nov, 23:05",
    "14 nov, 23:05",
    "14 нояб., 23:05",
    "14. Nov., 23:05 Uhr",
    "14 nov., 23 h 05",
  ]);
});

test("LANG-08 the first of a month is 1er in French", () => {
  const days = inAll({ day: "numeric", month: "long" }, new Date("2026-12-01T12:00:00Z"));
  expect(days).toEqual(["1 December", "1 de diciembre", "1 декабря", "1. Dezember", "1er décembre"]);
  expect(inAll({ dateStyle: "long" }, new Date("2026-12-21T12:00:00Z"))[4]).toBe("21 décembre 2026");
});
