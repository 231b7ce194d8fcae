import { LANGUAGES } from "#core/languages.ts";
import { WIDTHS } from "./page-at-rest.ts";
import { partsAt, testParts } from "./test-parts.ts";

for (const language of LANGUAGES) {
  for (const width of WIDTHS) testParts({ groups: partsAt(width), language, width });
}
