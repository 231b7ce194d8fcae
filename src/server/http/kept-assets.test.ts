import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operatorOf } from "../monitoring/operator-settings.ts";
import { keepAssets } from "./kept-assets.ts";
import { loadWebApp } from "./web-app.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-11-17T10:00:00Z");

let root: string;
const folder = () => join(root, "web");
const kept = () => join(root, "kept");

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sereno-assets-"));
});

afterAll(() => rm(root, { recursive: true }));

async function deploy(script: string): Promise<void> {
  await rm(folder(), { recursive: true, force: true });
  await mkdir(join(folder(), "assets/locales/es"), { recursive: true });
  await writeFile(join(folder(), "index.html"), script);
  await writeFile(join(folder(), `assets/${script}.js`), script);
  await writeFile(join(folder(), `assets/locales/es/${script}.json`), "{}");
}

async function start(day: number): Promise<(path: string) => boolean> {
  const olderAssets = await keepAssets({ folder: folder(), kept: kept(), now: START + day * DAY_MS });
  const web = await loadWebApp({
    folder: folder(),
    siteUrl: "https://sereno.example",
    supabaseUrl: undefined,
    operator: operatorOf({}),
    olderAssets,
  });
  return (path) => web.find(path) !== undefined;
}

test("CALM-02 the scripts and texts of a replaced build are served for a week, its pages are not", async () => {
  await deploy("one");
  expect((await start(0))("/assets/one.js")).toBe(true);
  // The week begins when the build is replaced, however long it ran.
  await deploy("two");
  const served = await start(30);
  expect(["/assets/one.js", "/assets/locales/es/one.json", "/assets/two.js"].map(served)).toEqual([
    true,
    true,
    true,
  ]);
  expect((await start(36))("/assets/one.js")).toBe(true);
  expect((await start(38))("/assets/one.js")).toBe(false);
  expect((await start(38))("/assets/two.js")).toBe(true);
  expect(await readdir(kept())).toHaveLength(1);
});

test("CALM-02 a build that comes back is current again", async () => {
  await deploy("three");
  await start(40);
  await deploy("two");
  await start(41);
  await deploy("three");
  await start(42);
  expect((await start(60))("/assets/three.js")).toBe(true);
});

test("CALM-05 with OFFLINE_PAGES=off the service worker is replaced by one that removes itself", async () => {
  await deploy("four");
  await writeFile(join(folder(), "worker.js"), "// answers for pages");
  const load = (offlinePages: boolean) =>
    loadWebApp({
      folder: folder(),
      siteUrl: "https://sereno.example",
      supabaseUrl: undefined,
      operator: operatorOf({}),
      offlinePages,
    });
  const textOf = async (offlinePages: boolean) =>
    Buffer.from((await (await load(offlinePages)).find("/worker.js")?.body("identity")) ?? []).toString();
  expect(await textOf(true)).toBe("// answers for pages");
  const off = await textOf(false);
  expect(off).toContain("registration.unregister()");
  expect(off).toContain("caches.delete");
  const { headers } = (await load(true)).find("/worker.js") ?? {};
  expect(headers).toMatchObject({
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  });
});
