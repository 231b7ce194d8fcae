import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./scripts/find-browser.ts";

const port = Number(process.env.E2E_PORT || 3900);
const consolePort = port + 1;
const productPort = port + 2;
// Auth, data and realtime at another origin than the site, as beside a hosted Supabase.
const backendPort = process.env.E2E_OTHER_ORIGIN ? port + 4 : 0;
// Every worker reads this file again: the first reading, before the server starts, decides for all.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "sereno-e2e-"));

export default defineConfig({
  testDir: "e2e",
  projects: [
    { name: "browser", testMatch: "**/*.e2e.ts", testIgnore: "**/*.long.e2e.ts" },
    { name: "long-browser", testMatch: "**/*.long.e2e.ts" },
  ],
  outputDir: "test-results",
  fullyParallel: true,
  workers: 3,
  // A second attempt has a new worker, and with it a new browser and a fresh context. `npm test` says which tests needed
  // one; whoever runs a file by hand sees the failure.
  retries: process.env.E2E_REPORT ? 1 : 0,
  // Room for a slow machine; nothing here measures speed.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.E2E_REPORT ? [["dot"], ["json", { outputFile: process.env.E2E_REPORT }]] : [["list"]],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: "en-GB",
    timezoneId: "Europe/Madrid",
    // A test sees no requests that a service worker answers. The test of the worker allows it.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    // Drawing animations takes a good part of the processor time.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? findBrowser() ?? "",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--renderer-process-limit=1",
        // Saves two processes and the messages between them.
        "--in-process-gpu",
        "--enable-features=NetworkServiceInProcess2",
        // No page lives long enough to gain from optimised code.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
  webServer: [
    {
      command: `node e2e/support/gateway.ts ${port} ${productPort} ${backendPort}`,
      port,
      gracefulShutdown: { signal: "SIGTERM", timeout: 1_000 },
    },
    {
      command: "node scripts/launch.mjs scripts/start.ts",
      url: `http://localhost:${productPort}/readyz`,
      timeout: 180_000,
      gracefulShutdown: { signal: "SIGTERM", timeout: 8_000 },
      stdout: "ignore",
      stderr: "pipe",
      env: {
        PORT: String(productPort),
        CONSOLE_PORT: String(consolePort),
        SITE_URL: `http://localhost:${port}`,
        DATA_DIR: process.env.E2E_DATA_DIR,
        ALLOWED_ORIGINS: backendPort > 0 ? `http://localhost:${port}` : "",
        // Each test may come from an address of its own, so that limits by address count one visitor and not the suite.
        TRUSTED_PROXIES: "1",
        MAIL_IN_PORT: String(port + 3),
        MAIL_IN_DOMAIN: "alerts.sereno.example",
      },
    },
  ],
});
