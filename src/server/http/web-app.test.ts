import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { operatorOf } from "../monitoring/operator-settings.ts";
import { loadWebApp } from "./web-app.ts";

test("scripts are packed smaller after their first answer, with the same content", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-web-app-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = await readFile(new URL("./web-app.ts", import.meta.url), "utf8");
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets", "app-1234.js"), script);
  const web = await loadWebApp({
    ...{ folder, siteUrl: "https://sereno.example", supabaseUrl: undefined, operator: operatorOf({}) },
    packsSmaller: true,
  });
  const send = async () => (await web.find("/assets/app-1234.js")?.body("br")) ?? new Uint8Array();
  const first = await send();
  await expect.poll(async () => (await send()).length).toBeLessThan(first.length);
  expect(String(await promisify(brotliDecompress)(await send()))).toBe(script);
});
