import { writeFile } from "node:fs/promises";
import type { Plugin } from "vite";

export type BundleReport = Record<
  string,
  {
    imports: string[];
    modules: Record<string, number>;
    /** The module for which the file is loaded on demand. */
    part?: string;
  }
>;

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
          nameOf(id),
          renderedLength,
        ]);
        report[chunk.fileName] = {
          imports: chunk.imports,
          modules: Object.fromEntries(modules),
          ...(chunk.isDynamicEntry && chunk.facadeModuleId ? { part: nameOf(chunk.facadeModuleId) } : {}),
        };
      }
      await writeFile(file, JSON.stringify(report));
    },
  };
}

function nameOf(id: string): string {
  return id.replace(process.cwd(), "").split("?")[0] ?? id;
}
