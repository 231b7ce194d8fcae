// Rules that pages and SQL both need: SQL sorts, filters and saves with them, pages show the result before or without a query.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amountIn } from "#core/listing/amount.ts";
import { comparisonOf, pricePerM2Of } from "#core/listing/market.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const amountText = fc
  .array(
    fc.constantFrom(
      "€",
      "m²",
      " ",
      "\u00a0",
      "\u202f",
      "\t",
      ".",
      ",",
      "-",
      "1",
      "449",
      "000",
      "27",
      "٣",
      "€ ",
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(""));

test("DEMO-07 FIND-01 a page and SQL read the same amount from a row", async () => {
  const values = [
    ...fc.sample(
      fc.oneof(amountText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
      3000,
    ),
    ...[
      1449,
      "1449",
      "1.449 €",
      "€1,449",
      "1\u00a0449 €",
      "1.250.000€",
      "27 m²",
      "0 €",
      0,
      1e10,
      9_999_999_999,
    ],
  ];
  const rows = await database.sql<{ amount: number | null }[]>`
    select watch.amount_in(value) as amount
    from jsonb_array_elements(${JSON.stringify(values)}::text::jsonb) with ordinality as given (value, place) order by place`;
  expect(values.map((value) => [value, amountIn(value) ?? null])).toEqual(
    values.map((value, index) => [value, rows[index]?.amount]),
  );
  expect(rows.filter(({ amount }) => amount !== null).length).toBeGreaterThan(100);
});

test("FIND-01 a page and SQL round the price per m² and its distance from the median alike", async () => {
  const price = fc.integer({ min: 1, max: 3_000_000 });
  const homes = [
    ...fc.sample(
      fc.record({ priceEur: price, areaM2: fc.integer({ min: 0, max: 900 }), median: price }),
      2000,
    ),
    // Halves, which round() of PostgreSQL rounds to the even number.
    ...[1005, 2005, 45, 25, 14.5].map((priceEur) => ({
      priceEur,
      areaM2: 10,
      median: priceEur / 10 / 1.005,
    })),
    { priceEur: 99_500, areaM2: 100, median: 1000 },
  ];
  const rows = await database.sql`
    select per_m2, watch.percent_above(per_m2, median) as percent
    from jsonb_to_recordset(${JSON.stringify(homes)}::text::jsonb)
      as given ("priceEur" float8, "areaM2" float8, median float8)
    cross join lateral (select watch.per_m2("priceEur", "areaM2") as per_m2) as rounded`;
  const expected = homes.map(({ median, ...home }) => {
    const comparison = comparisonOf(sampleListing(home), {
      samples: 5,
      medianPerM2Eur: median,
      place: "Sol",
    });
    return { per_m2: pricePerM2Of(home), percent: comparison && comparison.percent + 0 };
  });
  expect([...rows]).toEqual(expected);
});
