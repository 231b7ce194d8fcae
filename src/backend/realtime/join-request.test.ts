import { expect, test } from "vitest";
import { parseJoin } from "./join-request.ts";

const alice = "a11ce000-0000-4000-8000-000000000001";
const notes = { ownerColumn: "user_id", isOwnerInOldRow: true, columns: [], readRows: "" };
const tables = new Map([[JSON.stringify(["public", "notes"]), notes]]);

const asking = (...changes: unknown[]) => parseJoin({ config: { postgres_changes: changes } }, tables);

function idsOf(...changes: unknown[]) {
  const parsed = asking(...changes);
  return typeof parsed === "string" ? [] : parsed.bindings.map(({ id }) => id);
}

test("the reply repeats the request exactly and adds an id", () => {
  const asked = {
    event: "insert",
    schema: "public",
    table: "notes",
    filter: `user_id=eq.${alice}`,
    extra: 1,
  };
  const [id] = idsOf(asked);
  expect(asking(asked)).toEqual({
    bindings: [{ id, event: "INSERT", tableKey: '["public","notes"]', owner: alice }],
    echoed: [{ ...asked, id }],
  });
});

test("equal bindings have equal ids in every join, different ones differ", () => {
  const [first, second] = idsOf({ event: "*", table: "notes" }, { event: "INSERT", table: "notes" });
  expect(idsOf({ table: "notes", event: "*" })).toEqual([first]);
  expect(second).not.toBe(first);
});

const deep: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
const ownerOnly = "the only filter supported by this server is user_id=eq.<user id>";

for (const [what, binding, reason] of [
  ["an unknown event", { event: "TRUNCATE", table: "notes" }, "event must be one of"],
  ["no table", { event: "*" }, "Unable to subscribe"],
  ["every table", { event: "*", table: "*" }, "Unable to subscribe"],
  ["a table that is not watched", { event: "*", table: "profiles" }, "Unable to subscribe"],
  ["a schema that is not a name", { event: "*", schema: {}, table: "notes" }, "Unable to subscribe"],
  ["a table that cannot become text", { event: "*", table: { toString: 1 } }, "Unable to subscribe"],
  ["an event that cannot become text", { event: { toString: 1 }, table: "notes" }, "Unable to subscribe"],
  ["a deeply nested value", { table: "notes", extra: deep }, "Unable to subscribe"],
  ["a filter by another column", { table: "notes", filter: `id=eq.${alice}` }, ownerOnly],
  ["another operator", { table: "notes", filter: `user_id=neq.${alice}` }, ownerOnly],
  ["a list of owners", { table: "notes", filter: `user_id=in.(${alice})` }, ownerOnly],
  ["a second condition", { table: "notes", filter: `user_id=eq.${alice},id=eq.1` }, ownerOnly],
  ["a condition before it", { table: "notes", filter: `id=eq.1,user_id=eq.${alice}` }, ownerOnly],
  ["an owner that is not an id", { table: "notes", filter: "user_id=eq.7" }, ownerOnly],
  ["a malformed filter", { table: "notes", filter: "user_id" }, ownerOnly],
  ["a filter that is not text", { table: "notes", filter: 7 }, ownerOnly],
] as const) {
  test(`${what} is refused, also next to an allowed binding`, () => {
    expect(asking(binding)).toContain(reason);
    expect(asking({ event: "*", table: "notes" }, binding)).toContain(reason);
  });
}

test("a join may ask for at most 50 bindings", () => {
  const many = Array.from({ length: 51 }, () => ({ event: "*", table: "notes" }));
  expect(asking(...many)).toBe("more than 50 postgres_changes");
  expect(asking(...many.slice(1))).toMatchObject({ echoed: many.slice(1) });
});
