// `npm run bundle`: what each page loads before the first interaction, by package, in kB as sent (brotli), and its
// budget.
import { buildWebIfStale } from "./build-web.ts";
import { BUDGETS_KB } from "./page-budgets.ts";
import { type PageWeight, weighPages } from "./page-weights.ts";

const SHOWN_FROM_KB = 0.5;

await buildWebIfStale((step) => process.stderr.write(`· ${step}\n`));
const weights = await weighPages(Object.keys(BUDGETS_KB));
const packages = new Set([...weights.values()].flatMap(({ byPackage }) => [...byPackage.keys()]));
const rows = [...packages].map((name) => [name, row(({ byPackage }) => byPackage.get(name) ?? 0)] as const);
const heaviest = (columns: Record<string, string>) => Math.max(...Object.values(columns).map(Number));
rows.sort(([, one], [, other]) => heaviest(other) - heaviest(one));
console.table({
  ...Object.fromEntries(rows.filter(([, columns]) => heaviest(columns) >= SHOWN_FROM_KB)),
  "all scripts": row(({ bytes }) => bytes),
  budget: BUDGETS_KB,
});

function row(bytesOf: (weight: PageWeight) => number): Record<string, string> {
  return Object.fromEntries(
    [...weights].map(([path, weight]) => [path, (bytesOf(weight) / 1000).toFixed(1)]),
  );
}
