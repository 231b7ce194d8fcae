import { expect, test } from "vitest";
import { isFiltered, readAddress, withParts } from "./find-address.ts";

const read = (search: string) => readAddress(new URLSearchParams(search));

test("FIND-01 the address names the view, the filter and the opened home", () => {
  const search = "7d9e5c1a-0b7f-4a57-9d0e-3f1f0f6a2b11";
  expect(read(`search=${search}&state=kept&zone=0-EU-ES-28&min=900&max=1500&order=price&home=104`)).toEqual({
    view: "list",
    filter: {
      searchId: search,
      state: "kept",
      zone: "0-EU-ES-28",
      minPriceEur: 900,
      maxPriceEur: 1500,
      order: "price",
    },
    home: "104",
  });
  expect(read("view=market").view).toBe("market");
});

test("FIND-01 invalid parts of an address are ignored", () => {
  const odd = "view=x&search=me&state=sold&zone=a%20b&min=-1&max=1e9&order=worst&home=";
  expect(read(odd)).toEqual({ view: "list", filter: {}, home: null });
  expect(read("order=newest").filter).toEqual({});
});

test("FIND-01 changing a part keeps the others, and an empty part is removed", () => {
  const params = new URLSearchParams("state=kept&min=900");
  expect(withParts(params, { min: null, order: "price" })).toBe("?state=kept&order=price");
  expect(withParts(params, { state: "", min: null })).toBe("");
  expect([isFiltered({}), isFiltered({ order: "price" }), isFiltered({ state: "kept" })]).toEqual([
    false,
    false,
    true,
  ]);
});
