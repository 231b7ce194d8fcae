import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/** Headless builds render the same pages in half the time. */
const SHELLS = ["chromium-headless-shell", "chrome-headless-shell"];
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_APPS = ["Google Chrome", "Chromium"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const INSTALL_MS = 180_000;

export const NO_BROWSER =
  "The browser tests need a browser: install Chromium or Google Chrome, or run `npx playwright install chromium`.";

/** A browser for the tests: headless if possible, otherwise the system's, otherwise Playwright's. */
export function findBrowser(): string | undefined {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) return existsSync(asked) ? asked : undefined;
  return inPath(SHELLS) ?? installedShell() ?? systemBrowser() ?? playwrightBrowser();
}

function installedShell(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return undefined;
  process.stdout.write("· Installing a browser\n");
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "chromium-headless-shell"],
    // If Debian has no such package.
    ["install", "-y", "-qq", "chromium"],
  ]) {
    if (inPath(SHELLS) || (args.includes("chromium") && systemBrowser())) break;
    spawnSync("apt-get", args, { env: environment, stdio: "ignore", timeout: INSTALL_MS });
  }
  return inPath(SHELLS);
}

function systemBrowser(): string | undefined {
  return inPath(BROWSERS) ?? MAC_APPS.find((path) => existsSync(path));
}

function inPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}
