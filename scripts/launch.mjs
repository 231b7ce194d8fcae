// Runs one of our TypeScript programs with the Node version in node_modules, installing packages first if necessary. It
// is plain JavaScript without imports of ours, because the machine's Node (20 or later) runs it before anything is
// installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants as system } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const node = join(root, "node_modules", "node", "bin", "node");
const stampFile = join(root, "node_modules", ".installed");

const OLDEST_NPM = 10;
// Slightly more than our programs take to stop.
const STOP_WITHIN_MS = 9_800;

const [program, ...args] = process.argv.slice(2);
let child;
let isStopping = false;
// Signals are passed on to the child, which decides when to end. If it does not react, it is killed with all its
// descendants.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => stop(signal));
await ensureInstalled();
const settings = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
process.exit(await run());

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
  const options = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  child = spawn(command, [...before, ...options], { cwd: root, stdio: ["ignore", 2, 2] });
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
  child = spawn(node, [...settings, join(root, program), ...args], {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Node's compile cache cuts the start time almost by half.
    env: { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"), ...process.env },
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
