import { writeFile } from "node:fs/promises";
import type { Plugin } from "vite";

export type BundleReport = Record<string, { imports: string[]; modules: Record<string, number> }>;

/** Records what the bundler put into each file, for `npm run bundle` and the page budgets. */
export function bundleReport(file: string): Plugin {
  return {
    name: "bundle-report",
    applyToEnvironment: ({ name }) => name === "client",
    async generateBundle(_options, bundle) {
      const report: BundleReport = {};
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const modules = Object.entries(chunk.modules).map(([id, { renderedLength }]) => [
          id.replace(process.cwd(), "").split("?")[0],
          renderedLength,
        ]);
        report[chunk.fileName] = { imports: chunk.imports, modules: Object.fromEntries(modules) };
      }
      await writeFile(file, JSON.stringify(report));
    },
  };
}
