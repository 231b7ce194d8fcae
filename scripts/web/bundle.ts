// `npm run bundle`: what each page loads before the first interaction, by package, in kB as sent (brotli), and its
// budget.
import { buildWebIfStale } from "./build-web.ts";
import { BUDGETS_KB, MAP_BUDGETS_KB } from "./page-budgets.ts";
import { type PageWeight, weighPages, weighPart } from "./page-weights.ts";

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
const map = await weighPart("/finds", "features/finds/map/finds-map.tsx");
console.log(
  "Opening the map adds, in kB:",
  Object.fromEntries([...map.byFile].map(([file, bytes]) => [file, bytes / 1000])),
);
console.log(`${(map.bytes / 1000).toFixed(1)} in all, of ${MAP_BUDGETS_KB.page}`);

function row(bytesOf: (weight: PageWeight) => number): Record<string, string> {
  return Object.fromEntries(
    [...weights].map(([path, weight]) => [path, (bytesOf(weight) / 1000).toFixed(1)]),
  );
}
