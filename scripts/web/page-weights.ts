// What each page loads before the first interaction, as sent by the server.
import { readFile } from "node:fs/promises";
import { loadWebApp, type WebApp } from "#server/http/web-app.ts";
import { operatorOf } from "#server/monitoring/operator-settings.ts";
import { DEMO_MODULES } from "#web/hydration/chunks.ts";
import type { BundleReport } from "./bundle-report.ts";

export interface PageWeight {
  bytes: number;
  byPackage: Map<string, number>;
  byFile: Map<string, number>;
}

export async function weighPages(paths: readonly string[]): Promise<Map<string, PageWeight>> {
  const { report, web } = await loadBuild();
  const weights = new Map<string, PageWeight>();
  for (const path of paths) weights.set(path, await weigh(await pageFiles(path, report, web), report, web));
  return weights;
}

/** What a part that loads on demand adds to its page. */
export async function weighPart(path: string, module: string): Promise<PageWeight> {
  const { report, web } = await loadBuild();
  const [file] = Object.keys(report).filter((name) => report[name]?.part?.endsWith(module));
  if (file === undefined) throw new Error(`No file is loaded for ${module}`);
  const onPage = await pageFiles(path, report, web);
  const added = [...withImports([file], report)].filter((name) => !onPage.has(name));
  return weigh(new Set(added), report, web);
}

async function loadBuild(): Promise<{ report: BundleReport; web: WebApp }> {
  const report: BundleReport = JSON.parse(await readFile("build/bundle.json", "utf8"));
  const web = await loadWebApp({
    folder: "build/client",
    siteUrl: "http://localhost",
    supabaseUrl: undefined,
    operator: operatorOf({}),
  });
  return { report, web };
}

async function pageFiles(path: string, report: BundleReport, web: WebApp): Promise<Set<string>> {
  const page = await web.find(path)?.body("identity");
  if (!page) throw new Error(`There is no page ${path}`);
  return filesOf(Buffer.from(page).toString("utf8"), report);
}

function filesOf(html: string, report: BundleReport): Set<string> {
  const { script, entry } = startOf(html);
  const waitsForGesture = /waitsForGesture: true/.test(script);
  const chunkWith = (part: string) =>
    Object.keys(report).find((file) =>
      Object.keys(report[file]?.modules ?? {}).some((id) => id.includes(part)),
    );
  const roots = [
    entry,
    ...(waitsForGesture ? [] : [...script.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file)),
    ...(waitsForGesture ? [] : [chunkWith("app/start-app.tsx")]),
    ...(waitsForGesture && html.includes('id="live-demo"') ? DEMO_MODULES.map(chunkWith) : []),
  ];
  return withImports(roots, report);
}

function withImports(roots: readonly (string | undefined)[], report: BundleReport): Set<string> {
  const found = new Set<string>();
  const add = (file: string | undefined) => {
    if (file === undefined) throw new Error("A script that the page loads is not in the build");
    if (found.has(file)) return;
    found.add(file);
    for (const needed of report[file]?.imports ?? []) add(needed);
  };
  roots.forEach(add);
  return found;
}

function startOf(html: string): { script: string; entry: string } {
  const [, script = "", entry] =
    /<script>(window\.pageStart[\s\S]*?)<\/script><script type="module" async="" src="\/([^"]+)">/.exec(
      html,
    ) ?? [];
  if (entry === undefined) throw new Error("The page has no start script");
  return { script, entry };
}

/** A file shared by several packages is divided by their uncompressed sizes. */
async function weigh(files: ReadonlySet<string>, report: BundleReport, web: WebApp): Promise<PageWeight> {
  const byPackage = new Map<string, number>();
  const byFile = new Map<string, number>();
  let bytes = 0;
  for (const file of files) {
    const size = (await web.find(`/${file}`)?.body("br"))?.length ?? 0;
    bytes += size;
    byFile.set(file, size);
    const modules = Object.entries(report[file]?.modules ?? { [file]: 1 });
    const whole = modules.reduce((sum, [, length]) => sum + length, 0) || 1;
    for (const [id, length] of modules) {
      const name = packageOf(id);
      byPackage.set(name, (byPackage.get(name) ?? 0) + (size * length) / whole);
    }
  }
  return { bytes, byPackage, byFile };
}

function packageOf(id: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
  if (installed) return installed;
  return /src\/(?:web\/(?:features\/)?[^/.]+|core|text)/.exec(id)?.[0] ?? "build tools";
}
