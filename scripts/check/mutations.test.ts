import { expect, test } from "vitest";
import { mutationsOf } from "./mutations.ts";

const SOURCE = `import { a } from "./a.ts";
type Three = 3;
export function f(x: number): boolean {
  note(x);
  if (!isOpen(x) && x < 10) return true;
  return x - 1 === 2;
}
`;

test("each change touches one line, and neither imports nor types", () => {
  const mutations = mutationsOf("a.ts", SOURCE);
  expect(mutations.map(({ line, before, after }) => [line, before, after])).toEqual([
    [4, "note(x);", ";"],
    [5, "!isOpen(x) && x < 10", "!isOpen(x) || x < 10"],
    [5, "!isOpen(x)", "isOpen(x)"],
    [5, "x < 10", "x <= 10"],
    [5, "10", "11"],
    [5, "true", "false"],
    [6, "x - 1 === 2", "x - 1 !== 2"],
    [6, "x - 1", "x + 1"],
    [6, "1", "2"],
    [6, "2", "3"],
  ]);
  for (const { line, source } of mutations) {
    const lines = SOURCE.split("\n");
    const differing = source.split("\n").flatMap((text, index) => (text === lines[index] ? [] : [index + 1]));
    expect(differing).toEqual([line]);
  }
});
