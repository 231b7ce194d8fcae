import { writeFile } from "node:fs/promises";
import type { Plugin } from "vite";

/** What each script of the web app is made of, and which it needs. */
export type BundleReport = Record<string, { imports: string[]; modules: Record<string, number> }>;

/** Writes down what the bundler put where; `npm run bundle` and the budget read it. */
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
