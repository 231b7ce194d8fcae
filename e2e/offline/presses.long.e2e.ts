import { LANGUAGES } from "#core/languages.ts";
import { WIDTHS } from "./page-at-rest.ts";
import { testPresses, VISITORS } from "./test-presses.ts";

for (const language of LANGUAGES) {
  for (const width of WIDTHS) testPresses({ visitors: VISITORS, language, width });
}
