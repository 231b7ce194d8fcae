import { expect, test } from "vitest";
import { createInboundLimit } from "./inbound-limit.ts";

test("twenty messages a minute are admitted, then one is over the limit and the rest are ignored until the minute ends", () => {
  const clock = { now: 0 };
  const admit = createInboundLimit(() => clock.now);
  const answers = Array.from({ length: 30 }, () => admit("ana"));
  expect(answers.slice(0, 20)).toEqual(Array(20).fill("admitted"));
  expect(answers.slice(20)).toEqual(["over-limit", ...Array(9).fill("ignored")]);
  expect(admit("ben")).toBe("admitted");
  clock.now = 60_000;
  expect(admit("ana")).toBe("admitted");
});

test("with very many senders the least recent one is forgotten", () => {
  const admit = createInboundLimit(() => 0);
  for (let count = 0; count < 21; count += 1) admit("busy");
  for (let count = 0; count < 9_999; count += 1) admit(`person ${count}`);
  expect(admit("busy")).toBe("ignored");
  admit("one more");
  for (let count = 0; count < 20; count += 1) admit("person 0");
  expect(admit("busy")).toBe("ignored");
});
