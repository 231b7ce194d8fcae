// `npm run browsers` drives a newcomer's story in Firefox and WebKit, which the browser tests do not cover, and says
// what it could not run. As root on Debian it installs the browsers' packages.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { withProduct } from "#test/local-product.ts";
import { openFirefox } from "./firefox.ts";
import { tellNewcomerStory } from "./newcomer-story.ts";
import type { RemoteBrowser } from "./remote-browser.ts";
import { openWebKit, stop } from "./webkit.ts";

const PORT = Number(process.env.PORT || 3970);
const INSTALL_MS = 300_000;

interface Candidate {
  name: string;
  packages: readonly string[];
  /** Null if something is missing. */
  open(): Promise<RemoteBrowser> | null;
}

const displays: ChildProcess[] = [];

const CANDIDATES: readonly Candidate[] = [
  {
    name: "Firefox",
    packages: ["firefox-esr"],
    open: () => {
      const program = inPath("firefox-esr") ?? inPath("firefox");
      return program ? openFirefox(program, PORT + 10) : null;
    },
  },
  {
    name: "WebKit",
    packages: ["webkit2gtk-driver", "xvfb"],
    open: () => {
      const driver = inPath("WebKitWebDriver");
      const browser = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")[0];
      const display = process.env.DISPLAY ?? startDisplay();
      return driver && browser && display ? openWebKit({ driver, browser, display, port: PORT + 11 }) : null;
    },
  },
];

const outcomes: string[] = [];
let hasFailed = false;
await withProduct({ port: PORT, environment: { CHECK_INTERVAL_SECONDS: "10" } }, async ({ origin }) => {
  for (const candidate of CANDIDATES) outcomes.push(await run(candidate, origin));
});
for (const display of displays) await stop(display);
process.stdout.write(`${outcomes.join("\n")}\n`);
process.exit(hasFailed ? 1 : 0);

async function run({ name, packages, open }: Candidate, origin: string): Promise<string> {
  install(packages);
  const opening = open();
  if (!opening) return `- ${name}: not run. It needs ${packages.join(" and ")}.`;
  const from = performance.now();
  let last = "nothing";
  let browser: RemoteBrowser | undefined;
  try {
    browser = await opening;
    await tellNewcomerStory(browser, { site: origin, console: `http://localhost:${PORT + 1}` }, (step) => {
      last = step;
      process.stdout.write(`· ${name}: ${step}\n`);
    });
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    return `✓ ${name} ${browser.version}: from the landing page to the first alert and its home, ${seconds} s`;
  } catch (error) {
    hasFailed = true;
    return `✗ ${name}: after "${last}": ${error instanceof Error ? error.message : error}`;
  } finally {
    await browser?.close();
  }
}

/** What cannot be installed is reported as not run. */
function install(packages: readonly string[]): void {
  const isThere = (name: string) => spawnSync("dpkg", ["-s", name], { stdio: "ignore" }).status === 0;
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version") || packages.every(isThere)) return;
  process.stdout.write(`· Installing ${packages.join(", ")}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", ...packages],
  ])
    spawnSync("apt-get", args, { env, stdio: "ignore", timeout: INSTALL_MS });
}

function startDisplay(): string | undefined {
  const program = inPath("Xvfb");
  if (!program) return undefined;
  const display = ":97";
  displays.push(spawn(program, [display, "-screen", "0", "1280x900x24"], { stdio: "ignore" }));
  return display;
}

function inPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
