import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { formatArea, formatPrice } from "../labels.ts";

test.each(LANGUAGES)(
  "LANG-08 the examples on the landing page have the product's formats (%s)",
  (language) => {
    const landing = JSON.parse(readFileSync(new URL(`${language}/landing.json`, import.meta.url), "utf8"));
    expect(landing.understands.sentence).toContain(formatPrice(1400, language));
    expect(landing.understands.sentence).toContain(formatArea(50, language));
  },
);
