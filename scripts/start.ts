// `npm start`: the whole product on this machine, with a simulator for each external service that is not configured.
// `npm run dev` adds hot reload of the web app and restarts the server on changes.
import { type FileHandle, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makePrivateFolder } from "#backend/secrets.ts";
import { type Program, startProgram } from "./program.ts";
import { moveTrialOn } from "./trial/day-on.ts";
import { buildWebIfStale } from "./web/build-web.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const isDev = process.argv.includes("--dev");

const programs: Program[] = [];
const stopping = new AbortController();
// The product gets most of it; the rest is enough for the simulators, which store little.
const STOP_WITHIN_MS = 9_500;
const LEAST_MS = 400;

async function run(): Promise<void> {
  if (!isDev) await buildWebIfStale(step, stopping.signal);

  step("Starting the simulators");
  const dataDir = resolve(process.env.DATA_DIR || ".data");
  const simulators = await start("simulators/main.ts", {
    nodeOptions: ["--disable-warning=ExperimentalWarning"],
    // The only thing that the console asks for.
    onWish: () => moveTrialOn(dataDir),
  });
  const environment = { ...process.env, ...simulators.ready.environment };
  // If the log cannot be opened, the server will report why.
  const log = await openLog(dataDir).catch(() => undefined);
  const port = isDev ? String(Number(process.env.PORT || 3000) + 100) : process.env.PORT || "3000";
  const site = process.env.SITE_URL || `http://localhost:${process.env.PORT || 3000}`;
  await start("src/server/main.ts", {
    environment: {
      ...environment,
      PORT: port,
      SITE_URL: site,
      // People who try it out share one address.
      SIGN_UPS_PER_ADDRESS_PER_DAY: process.env.SIGN_UPS_PER_ADDRESS_PER_DAY || "0",
    },
    nodeOptions: isDev ? ["--watch", "--watch-preserve-output"] : [],
    stdout: log?.fd ?? STDERR,
    databaseFolder: join(dataDir, "postgres"),
  });
  // The server has its own handle.
  await log?.close();
  if (isDev) await startVite(port);

  process.stdout.write(`\n  Sereno    ${site}\n  Console   ${simulators.ready.consoleUrl}\n\n`);
}

const STDERR = 2;

async function openLog(dataDir: string): Promise<FileHandle> {
  await makePrivateFolder(dataDir);
  const log = await open(join(dataDir, "server.log"), "w", 0o600);
  // An existing file keeps its old permissions.
  await log.chmod(0o600);
  return log;
}

async function start(
  path: string,
  options: Omit<Parameters<typeof startProgram>[0], "path" | "onStep" | "onExit"> = {},
) {
  // Start nothing during shutdown: nobody would stop it.
  if (stopping.signal.aborted) return new Promise<never>(() => {});
  const program = startProgram({
    path: join(ROOT, path),
    ...options,
    onStep: step,
    onExit: (code) => stop(code || 1),
  });
  programs.push(program);
  return { ready: await program.ready };
}

async function startVite(apiPort: string): Promise<void> {
  step("Starting the web app with hot reload");
  await start("scripts/web/dev-web.ts", { environment: { ...process.env, API_PORT: apiPort } });
}

function step(text: string): void {
  process.stderr.write(`· ${text}\n`);
}

/** Stops the last started first: the product before the services it uses. */
async function stop(code: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  const endAt = performance.now() + STOP_WITHIN_MS;
  for (const program of programs.toReversed()) {
    await program.stop(Math.max(LEAST_MS, endAt - performance.now() - LEAST_MS));
  }
  process.exit(code);
}

process.on("SIGINT", () => stop(0));
process.on("SIGTERM", () => stop(0));
process.on("SIGHUP", () => stop(0));
process.on("SIGQUIT", () => stop(0));
process.on("disconnect", () => stop(0));

try {
  await run();
} catch (error) {
  if (!stopping.signal.aborted) process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  await stop(1);
}
