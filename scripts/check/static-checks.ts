import { join } from "node:path";
import { runTool, type ToolResult } from "./run-tool.ts";
import { type FileTime, NOTHING, type Tally } from "./tally.ts";

interface Check {
  title: string;
  tool: string;
  args: string[];
}

/** In native code, four times as fast. The tools that read our code need `typescript`, whose program has the same name. */
const TYPES = join("..", "typescript-native", "bin", "tsc");
/** Two checks run at once. The threads of one check would repeat each other's work, a quarter of it. */
const types = (project: string) => ({ tool: TYPES, args: ["-p", project, "--singleThreaded"] });

const CHECKS: readonly Check[] = [
  { title: "types of the server side", ...types("tsconfig.node.json") },
  { title: "types of the web app", ...types("tsconfig.web.json") },
  { title: "format and lint", tool: "biome", args: ["check", "--error-on-warnings", "."] },
  { title: "types of the core", ...types("tsconfig.core.json") },
  {
    title: "who imports whom",
    tool: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "src", "simulators", "scripts"],
  },
  { title: "nothing unused", tool: "knip", args: ["--no-progress"] },
  { title: "nothing used by tests only", tool: "knip", args: ["--no-progress", "--production"] },
  { title: "migrations", tool: "squawk", args: ["supabase/migrations/*.sql"] },
];
/** Part of `npm test` as a test. */
const STRUCTURE: Check = {
  title: "structure of the sources",
  tool: "vitest",
  args: ["run", "--project", "unit", "scripts/structure.test.ts"],
};

export async function runStaticChecks({ withStructure = false } = {}): Promise<Tally> {
  const generated = await runTool("react-router", ["typegen"]);
  if (!generated.isGood) report("types of the routes", generated);
  const queue = withStructure ? [...CHECKS, STRUCTURE] : [...CHECKS];
  const results: boolean[] = [];
  const files: FileTime[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const from = performance.now();
      const result = await runTool(next.tool, next.args);
      files.push({ kind: "checks", file: next.title, durationMs: performance.now() - from });
      report(next.title, result);
      results.push(result.isGood);
    }
  };
  await Promise.all([worker(), worker()]);
  const passed = results.filter(Boolean).length;
  return { ...NOTHING, passed, failed: results.length - passed, files };
}

function report(title: string, { isGood, output }: ToolResult): void {
  process.stdout.write(`${isGood ? "✓" : "✗"} ${title}\n${isGood ? "" : output}`);
}
