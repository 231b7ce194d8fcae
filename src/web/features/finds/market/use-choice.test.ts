import { expect, test } from "vitest";
import type { Town } from "../market-figures.ts";
import { marketChoiceOf, orderText } from "./use-choice.ts";

const MADRID: Town = { placeId: "0-EU-ES-28-07-001-079", name: "Madrid", seen: { sale: 400, rent: 90 } };
const VALENCIA: Town = { placeId: "0-EU-ES-46-02-002-250", name: "Valencia", seen: { rent: 20 } };
const TOWNS = [MADRID, VALENCIA];
const RUZAFA = { placeId: "0-EU-ES-46-02-002-250-02-001", operation: "rent" } as const;
const asked = (address: string) => new URLSearchParams(address);

test("FIND-03 the market opens at the person's first search, otherwise at the town with the most homes", () => {
  expect(marketChoiceOf(asked(""), TOWNS, RUZAFA)).toMatchObject({
    town: VALENCIA,
    operation: "rent",
    size: "all",
  });
  expect(marketChoiceOf(asked(""), TOWNS, null)).toMatchObject({ town: MADRID, operation: "sale" });
  expect(marketChoiceOf(asked(""), TOWNS, { ...RUZAFA, operation: "sale" })).toMatchObject({
    operation: "rent",
  });
  expect(marketChoiceOf(asked(""), [], RUZAFA)).toBeUndefined();
});

test("FIND-03 the address decides what is shown, and its invalid parts are ignored", () => {
  const address = `town=${VALENCIA.placeId}&operation=sale&size=120-up&level=districts&by=-days`;
  const choice = marketChoiceOf(asked(address), TOWNS, null);
  expect(choice).toMatchObject({ town: VALENCIA, operation: "sale", size: "120-up", level: "districts" });
  expect(choice && orderText(choice.order)).toBe("-days");
  expect(
    marketChoiceOf(asked("town=x&operation=steal&size=9&level=__proto__&by=toString"), TOWNS, null),
  ).toEqual({
    town: MADRID,
    operation: "sale",
    size: "all",
    level: null,
    order: { key: "price", isDescending: false },
  });
});
