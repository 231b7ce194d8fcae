import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_APPS = ["Google Chrome", "Chromium"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

export const NO_BROWSER =
  "The browser tests need a browser: install Chromium or Google Chrome, or run `npx playwright install chromium`.";

/** A browser to test with: the system's, else Playwright's own, else Debian's where we may install it. */
export function findBrowser(): string | undefined {
  const found = systemBrowser() ?? playwrightBrowser();
  if (found || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return found;
  process.stdout.write("· Installing Chromium\n");
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { env: environment, stdio: ["ignore", "ignore", "inherit"] });
  spawnSync("apt-get", ["install", "-y", "-qq", "chromium"], {
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return systemBrowser();
}

function systemBrowser(): string | undefined {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) return existsSync(asked) ? asked : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...MAC_APPS].find((path) =>
    existsSync(path),
  );
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}
