// `npm test` shows every requirement that can be shown in short.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Requirements that only a long test can show, each with the reason. */
const LONG_ONLY: Record<string, string> = {};

const ID = /\b[A-Z]{3,8}-\d{2}\b/g;

/** The requirements in the titles of a file's tests. */
function idsIn(path: string): { short: string[]; long: string[] } {
  const ids: { short: string[]; long: string[] } = { short: [], long: [] };
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !/^test\b/.test(node.expression.getText())) return;
    const [title, options] = node.arguments;
    const isLong =
      options !== undefined && ts.isObjectLiteralExpression(options) && /\btags?:/.test(options.getText());
    ids[isLong ? "long" : "short"].push(...(title?.getText().match(ID) ?? []));
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
  return ids;
}

test("each requirement of a long test has a short one too, or a reason", () => {
  const files = globSync(["{src,simulators,supabase,scripts,test}/**/*.test.ts", "e2e/**/*.e2e.ts"]).map(
    idsIn,
  );
  const short = new Set(files.flatMap((file) => file.short));
  const long = new Set(files.flatMap((file) => file.long));
  expect(long.size).toBeGreaterThan(0);
  expect([...long].filter((id) => !short.has(id)).sort()).toEqual(Object.keys(LONG_ONLY).sort());
});
