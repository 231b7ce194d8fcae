import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rasterize } from "./rasterize.ts";

const svg = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="4" y="30" font-size="28" font-family="Onest, sans-serif" font-weight="600">${text}</text></svg>`;

test("MAP-06 letters in Latin and Cyrillic come from the font we ship, not from the machine", async () => {
  const [latin, cyrillic, chinese, otherChinese] = await Promise.all(
    ["ñÇé", "Жщы", "漢", "字"].map((text) => rasterize(svg(text))),
  );
  expect(Buffer.from(latin ?? []).readUInt32BE(16)).toBe(120);
  expect(cyrillic).not.toEqual(latin);
  expect(latin).not.toEqual(chinese);
  expect(cyrillic).not.toEqual(chinese);
  // Our font has no Chinese letters. One of the machine's would draw these two differently.
  expect(chinese).toEqual(otherChinese);
});

test("MAP-06 the native builds of both processors are in the lock file, and the font comes with its licence", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const build of [
    "linux-x64-gnu",
    "linux-arm64-gnu",
    "linux-x64-musl",
    "linux-arm64-musl",
    "darwin-arm64",
  ]) {
    expect(packages[`node_modules/@resvg/resvg-js-${build}`]?.integrity, build).toMatch(/^sha512-/);
  }
  const licence = readFileSync(new URL("./font/OFL.txt", import.meta.url), "utf8");
  expect(licence).toContain("SIL Open Font License, Version 1.1");
});
