#!/usr/bin/env node
// Runs one of our TypeScript programs with the Node version in node_modules. In a checkout it installs packages first if
// necessary; in the packed release, whose command `sereno` it is, npm has installed them. It is plain JavaScript without
// imports of ours, because the machine's Node (20 or later) runs it before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants as system } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as util from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
// npm leaves the lock file out of a package.
const isPacked = !existsSync(join(root, "package-lock.json"));
const node = isPacked ? findPackedNode() : join(root, "node_modules", "node", "bin", "node");
const stampFile = join(root, "node_modules", ".installed");

const COMMANDS = ["start", "serve", "doctor", "ops", "plan"];
const USAGE = `sereno [command]
  start    a trial on this machine, with simulators for what is not configured; the default
  serve    production
  doctor   checks the settings and the services they name
  ops      the operator's commands
  plan     the requests needed for all searches
Settings are read from .env in the current folder. ${join(root, ".env.example")} explains them.
`;

const OLDEST_NPM = 10;
const NEEDED_NODE = 24;
// Slightly more than our programs take to stop.
const STOP_WITHIN_MS = 9_800;

const [named = "start", ...args] = process.argv.slice(2);
const program = named.endsWith(".ts") ? named : `scripts/${named}.ts`;
if (!named.endsWith(".ts") && !COMMANDS.includes(named)) {
  process.stderr.write(USAGE);
  process.exit(1);
}
let child;
let isStopping = false;
// Signals are passed on to the child, which decides when to end. If it does not react, it is killed with all its
// descendants.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => stop(signal));
if (isPacked) requireNode();
else await ensureInstalled();
// The packed release keeps its data and its settings where it is called.
const folder = isPacked ? process.cwd() : root;
const options = [
  ...(existsSync(join(folder, ".env")) ? ["--env-file=.env"] : []),
  ...(isPacked
    ? [
        `--import=${new URL("strip-types.mjs", import.meta.url).href}`,
        "--disable-warning=ExperimentalWarning",
      ]
    : []),
];
process.exit(await run());

/** npm puts the package beside ours or into it. Without install scripts it is empty, and the machine's Node must do. */
function findPackedNode() {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
    return existsSync(path) ? path : process.execPath;
  } catch {
    return process.execPath;
  }
}

function requireNode() {
  if (node !== process.execPath || Number(process.versions.node.split(".")[0]) >= NEEDED_NODE) return;
  process.stderr.write(
    `This is Node ${process.versions.node}, and Sereno needs ${NEEDED_NODE} or later: install it, or run \`npm ci --omit=dev\` in ${root}, which brings its own.\n`,
  );
  process.exit(1);
}

async function ensureInstalled() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  if (!mayInstall()) {
    process.stderr.write(
      `The packages are not installed, and this user can't write to ${root}: run \`npm run build\` as its owner.\n`,
    );
    process.exit(1);
  }
  const [, version, major] = /^npm\/((\d+)\S*)/.exec(process.env.npm_config_user_agent ?? "") ?? [];
  // An older npm reports the lock file as broken.
  if (Number(major) < OLDEST_NPM) {
    process.stderr.write(
      `This is npm ${version}, and Sereno needs ${OLDEST_NPM} or later: install a newer Node.\n`,
    );
    process.exit(1);
  }
  process.stderr.write("· Installing packages\n");
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm ? [process.execPath, npm] : ["npm"];
  const installing = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  child = spawn(command, [...before, ...installing], { cwd: root, stdio: ["ignore", 2, 2] });
  const status = await ended();
  if (status !== 0 || !existsSync(node)) {
    if (!isStopping) process.stderr.write("npm could not install the packages. Its output is above.\n");
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

function mayInstall() {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function run() {
  child = spawn(node, [...options, join(root, program), ...args], {
    cwd: folder,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: {
      // Node's compile cache cuts the start time almost by half.
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
      ...certificatesInSettings(),
      ...process.env,
    },
  });
  // npm can be killed without passing the signal on; its children must not be left running.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent && !isStopping) stop("SIGTERM");
    }, 1_000);
  }
  return ended();
}

/** Node reads this setting when it starts, before `--env-file` is applied. */
function certificatesInSettings() {
  const file = join(folder, ".env");
  const { NODE_EXTRA_CA_CERTS } = existsSync(file) ? (util.parseEnv?.(readFileSync(file, "utf8")) ?? {}) : {};
  return NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {};
}

function ended() {
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("exit", (code, signal) => resolve(code ?? 128 + system.signals[signal]));
  });
}

function stop(signal) {
  child?.kill(signal);
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => {
    // Collected before the first kill: orphans can no longer be found.
    const family = child ? [child.pid, ...descendantsOf(child.pid)] : [];
    for (const member of family) endByForce(member);
    process.exit(1);
  }, STOP_WITHIN_MS);
}

function endByForce(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

function descendantsOf(pid) {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const rows = (stdout ?? procTable()).split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent) => rows.filter((row) => row[1] === parent).flatMap(([one]) => [one, ...below(one)]);
  return below(pid);
}

/** For systems without `ps`, such as small containers. */
function procTable() {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => `${pid} ${parentOf(pid)}`).join("\n");
}

function parentOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")")).split(" ")[2];
  } catch {
    return "0";
  }
}
