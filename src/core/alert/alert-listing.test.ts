import { expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { alertListingOf } from "./alert-listing.ts";

/** What the database accepts as one alert, which may show three listings. */
const LARGEST_ALERT = 16_384;

test("ONE-04 COVER-05 three listings fit into an alert, however long each text is that a source gives", () => {
  const sample = sampleListing();
  const texts = (Object.keys(sample) as (keyof Listing)[]).filter(
    (name) => typeof sample[name] === "string" || sample[name] === null,
  );
  expect(texts.length).toBeGreaterThan(15);
  const long = Object.fromEntries(texts.map((name) => [name, "寬".repeat(5_000)]));
  const shown = alertListingOf({ ...sample, ...long });
  expect(Buffer.byteLength(JSON.stringify([shown, shown, shown]))).toBeLessThan(LARGEST_ALERT - 1_000);
});
