import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { BUTTONS, type ButtonPress, formatCallbackData, parseCallbackData } from "./callback-data.ts";

const USER_ID = "0e02b2c3-d479-4372-a567-f47ac10b58cc";

test("callback data is short and parses back to the same press", () => {
  const spelled: [ButtonPress, string][] = [
    [{ act: "hide", propertyCode: "109876543" }, "h:109876543"],
    [{ act: "keep", propertyCode: "109876543" }, "k:109876543"],
    [{ act: "undo", propertyCode: "109876543" }, "u:109876543"],
    [{ act: "hide", propertyCode: "fotocasa:184000111" }, "h:fotocasa:184000111"],
    [{ act: "keep", propertyCode: "idealista.it:33000111" }, "k:idealista.it:33000111"],
    [{ act: "undo", propertyCode: "yaencontre:x12-345" }, "u:yaencontre:x12-345"],
    [{ act: "mute" }, "m"],
    [{ act: "unmute" }, "w"],
    [{ act: "speak", language: "ru" }, "l:ru"],
    [{ act: "receives", receives: "kept-by-two" }, "S:kept-by-two"],
    [{ act: "zone", userId: USER_ID, zone: "Atlantic/Canary" }, "Z:DgKyw9R5Q3KlZ_R6wQtYzA:c"],
    [{ act: "yes", userId: USER_ID }, "y:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "no", userId: USER_ID }, "n:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "me", userId: USER_ID }, "t:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "not-me", userId: USER_ID }, "x:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "watch", userId: USER_ID }, "a:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "unwatch", userId: USER_ID }, "e:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "mute-search", searchId: USER_ID }, "s:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "delete-search-now", searchId: USER_ID }, "f:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [{ act: "whose", requestId: USER_ID, accountId: null }, "A:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [
      { act: "whose", requestId: USER_ID, accountId: USER_ID },
      "A:DgKyw9R5Q3KlZ_R6wQtYzA:DgKyw9R5Q3KlZ_R6wQtYzA",
    ],
    [{ act: "less", propertyCode: "109876543" }, "E:109876543"],
    [{ act: "fold-search", searchId: USER_ID }, "F:DgKyw9R5Q3KlZ_R6wQtYzA"],
    [
      { act: "rule", searchId: USER_ID, subject: { on: "warning", kind: "seasonal" }, choice: null },
      "Y:DgKyw9R5Q3KlZ_R6wQtYzA:w.seasonal",
    ],
    [
      {
        act: "rule",
        searchId: USER_ID,
        subject: { on: "zone-price", is: "above", percent: 20 },
        choice: "silent",
      },
      "Y:DgKyw9R5Q3KlZ_R6wQtYzA:p.above.20:s",
    ],
    [
      {
        ...{ act: "rule", searchId: USER_ID, choice: "leave-out" },
        subject: { on: "minutes", placeId: USER_ID, by: "bicycle", over: 1 },
      },
      "Y:DgKyw9R5Q3KlZ_R6wQtYzA:m.bicycle.DgKyw9R5Q3KlZ_R6wQtYzA:l",
    ],
    [{ act: "decline" }, "d"],
    [{ act: "list-searches" }, "z"],
  ];
  for (const [press, data] of spelled) {
    expect(formatCallbackData(press)).toBe(data);
    expect(parseCallbackData(data)).toEqual(press);
  }
});

test("each button has a letter of its own, which no other ever had", () => {
  const letters = Object.fromEntries(Object.entries(BUTTONS).map(([act, { letter }]) => [letter, act]));
  expect(letters).toEqual({
    ...{ h: "hide", k: "keep", u: "undo", j: "message", v: "photos", E: "less" },
    ...{ W: "place-work", H: "place-home", O: "place-other", R: "move-place" },
    ...{ s: "mute-search", r: "unmute-search", o: "open-search", p: "pause-search", g: "resume-search" },
    ...{ i: "rename-search", q: "delete-search", f: "delete-search-now", z: "list-searches" },
    ...{
      b: "topic-here",
      c: "topic-none",
      U: "rules-search",
      I: "rules-add",
      F: "fold-search",
      G: "unfold-search",
    },
    ...{ Y: "rule", y: "yes", n: "no", t: "me", x: "not-me", a: "watch", e: "unwatch", L: "similar" },
    ...{ m: "mute", w: "unmute", d: "decline", B: "begin", Q: "question", N: "questions" },
    ...{ D: "delete-account", A: "whose", S: "receives", l: "speak", Z: "zone", C: "connect-group" },
  });
  expect(Object.keys(letters)).toHaveLength(Object.keys(BUTTONS).length);
});

test("an id is packed as base64url of its 16 bytes", () => {
  fc.assert(
    fc.property(fc.uuid(), (userId) => {
      const data = formatCallbackData({ act: "yes", userId });
      expect(data).toBe(`y:${Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url")}`);
      expect(parseCallbackData(data ?? "")).toEqual({ act: "yes", userId });
    }),
    drawn(),
  );
});

test("an id that does not fit gives no callback data", () => {
  for (const propertyCode of ["", "9".repeat(63), "12 34", "квартира", "1\n", `fotocasa:${"9".repeat(54)}`]) {
    expect(formatCallbackData({ act: "hide", propertyCode })).toBeUndefined();
  }
  expect(formatCallbackData({ act: "yes", userId: "nobody" })).toBeUndefined();
  expect(formatCallbackData({ act: "keep", propertyCode: "9".repeat(62) })).toHaveLength(64);
});

test("G08 forged data is not parsed", () => {
  const forged = [
    "",
    "h",
    "h:",
    "h:1 or 1=1",
    "h:1:2",
    "h:fotocasa:",
    "h:fotocasa:1:2",
    "h:elsewhere:1",
    `h:fotocasa:${"9".repeat(54)}`,
    `h:${"9".repeat(63)}`,
    "H:1",
    "x:1",
    "m:8",
    "mm",
    "M",
    "y:",
    `y:${USER_ID}`,
    "y:DgKyw9R5Q3KlZ_R6wQtYzB",
    "y:DgKyw9R5Q3KlZ_R6wQtYz=",
    "y:DgKyw9R5Q3KlZ/R6wQtYzA",
    "n:DgKyw9R5Q3KlZ_R6wQtYzAA",
    "A:DgKyw9R5Q3KlZ_R6wQtYzA:",
    "A:DgKyw9R5Q3KlZ_R6wQtYzA:nobody",
    "A:DgKyw9R5Q3KlZ_R6wQtYzA:DgKyw9R5Q3KlZ_R6wQtYzA:",
    "Y:DgKyw9R5Q3KlZ_R6wQtYzA:w.haunted",
    "Y:DgKyw9R5Q3KlZ_R6wQtYzA:p.above.91",
    "Y:DgKyw9R5Q3KlZ_R6wQtYzA:a.agency:x",
    "Y:DgKyw9R5Q3KlZ_R6wQtYzA:a.agency:l:l",
    "Y:DgKyw9R5Q3KlZ_R6wQtYzA:m.foot.nowhere:l",
    "Y:DgKyw9R5Q3KlZ_R6wQtYzA:__proto__",
    "Y:nobody:a.agency",
    "k:10\u0000",
    "h:1\n",
    "__proto__",
    "u:",
    "u:a b",
    `u:${"9".repeat(63)}`,
    "w:",
    "w ",
    "l:",
    "l:it",
    "l:__proto__",
    "L:en",
    "\u0000",
  ];
  for (const text of forged) expect([text, parseCallbackData(text)]).toEqual([text, undefined]);
});

test("G08 data that parses is always spelled as our own buttons spell it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("h:", "k:", "u:", "j:", "v:", "W:", "R:", "l:", "y:", "n:", "m", "w", ""),
      fc.base64String(),
      (start, end) => {
        const press = parseCallbackData(start + end);
        if (press !== undefined) expect(formatCallbackData(press)).toBe(start + end);
      },
    ),
    drawn(),
  );
});

test("FIND-06 a place's button contains the point to a metre; other spellings and points out of range are refused", () => {
  const placeId = "0e02b2c3-d479-4372-a567-f47ac10b58cc";
  const point = { latitude: 40.43301, longitude: -3.7 };
  for (const press of [
    { act: "place-work", point } as const,
    { act: "move-place", placeId, point } as const,
  ]) {
    const data = formatCallbackData(press) ?? "";
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    expect(parseCallbackData(data)).toEqual(press);
  }
  expect(
    formatCallbackData({ act: "place-home", point: { latitude: -0.000001, longitude: 179.999999 } }),
  ).toBe("H:0.00000,180.00000");
  const forged = [
    "W:",
    "W:1,2",
    "W:91.00000,1.00000",
    "W:1.00000,181.00000",
    "W:-0.00000,1.00000",
    "W:01.00000,1.00000",
  ];
  for (const text of [...forged, "R:1.00000,2.00000", `R:${"A".repeat(22)}`, "W:NaN,1.00000"]) {
    expect([text, parseCallbackData(text)]).toEqual([text, undefined]);
  }
});
