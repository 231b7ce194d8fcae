// What each page loads before the first interaction, as sent by the server.
import { readFile } from "node:fs/promises";
import { loadWebApp, type WebApp } from "#server/http/web-app.ts";
import { operatorOf } from "#server/monitoring/operator-settings.ts";
import type { BundleReport } from "./bundle-report.ts";

export interface PageWeight {
  bytes: number;
  byPackage: Map<string, number>;
}

/** Modules that a page loads by itself without importing them at the start: those of its demo. */
const DEMO_MODULES = ["features/landing/live-demo/render-demo.tsx", "node_modules/@supabase/postgrest-js/"];

export async function weighPages(paths: readonly string[]): Promise<Map<string, PageWeight>> {
  const report: BundleReport = JSON.parse(await readFile("build/bundle.json", "utf8"));
  const web = await loadWebApp({
    folder: "build/client",
    siteUrl: "http://localhost",
    supabaseUrl: undefined,
    operator: operatorOf({}),
  });
  const weights = new Map<string, PageWeight>();
  for (const path of paths) {
    const page = await web.find(path)?.body("identity");
    if (!page) throw new Error(`There is no page ${path}`);
    const files = filesOf(Buffer.from(page).toString("utf8"), report);
    weights.set(path, await weigh(files, report, web));
  }
  return weights;
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
  let bytes = 0;
  for (const file of files) {
    const size = (await web.find(`/${file}`)?.body("br"))?.length ?? 0;
    bytes += size;
    const modules = Object.entries(report[file]?.modules ?? { [file]: 1 });
    const whole = modules.reduce((sum, [, length]) => sum + length, 0) || 1;
    for (const [id, length] of modules) {
      const name = packageOf(id);
      byPackage.set(name, (byPackage.get(name) ?? 0) + (size * length) / whole);
    }
  }
  return { bytes, byPackage };
}

function packageOf(id: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
  if (installed) return installed;
  return /src\/(?:web\/(?:features\/)?[^/.]+|core|text)/.exec(id)?.[0] ?? "build tools";
}
