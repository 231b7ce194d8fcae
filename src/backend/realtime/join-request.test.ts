import { expect, test } from "vitest";
import { parseJoinRequest } from "./join-request.ts";

const asking = (...changes: unknown[]) => parseJoinRequest({ config: { postgres_changes: changes } });

test("the reply repeats what was asked, word for word, with an id", () => {
  const asked = { event: "insert", schema: "public", table: "notes", filter: "a=eq.1", extra: true };
  const { echoedBindings, bindings } = asking(asked);
  const [echoed] = echoedBindings;
  expect(echoed).toEqual({ ...asked, id: expect.any(Number) });
  expect(bindings).toMatchObject({ ok: true, list: [{ id: echoed?.id, event: "INSERT", table: "notes" }] });
});

test("equal bindings have equal ids in every join, others have others", () => {
  const first = asking({ event: "*", table: "notes" }, { event: "INSERT", table: "notes" }).echoedBindings;
  const again = asking({ table: "notes", event: "*" }).echoedBindings;
  expect(again[0]?.id).toBe(first[0]?.id);
  expect(first[1]?.id).not.toBe(first[0]?.id);
});

test("a binding without a table means every table of its schema, public unless named", () => {
  expect(asking({ event: "*" }).bindings).toMatchObject({ list: [{ schema: "public", table: "*" }] });
});

for (const [what, binding] of [
  ["an unknown event", { event: "TRUNCATE", table: "notes" }],
  ["a table that is no name", { event: "*", table: 7 }],
  ["a schema that is no name", { event: "*", schema: {}, table: "notes" }],
  ["a filter on every table", { event: "*", filter: "a=eq.1" }],
  ["a filter that cannot be read", { event: "*", table: "notes", filter: "a" }],
] as const) {
  test(`${what} is refused`, () => {
    expect(asking(binding).bindings).toMatchObject({ ok: false, reason: expect.any(String) });
  });
}

test("a join may ask for 50 bindings and no more", () => {
  const many = Array.from({ length: 51 }, (_, number) => ({ event: "*", table: `t${number}` }));
  expect(asking(...many).bindings.ok).toBe(false);
  expect(asking(...many.slice(1)).bindings.ok).toBe(true);
});
