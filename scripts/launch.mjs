// Runs one of our TypeScript programs on the Node that npm installed for us, installing what is missing first.
// It is plain JavaScript with no imports of ours: the machine's own Node, 20 or later, runs it before anything is there.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const node = join(root, "node_modules", "node", "bin", "node");
const stampFile = join(root, "node_modules", ".installed");

const [program, ...args] = process.argv.slice(2);
ensureInstalled();
run();

function ensureInstalled() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stderr.write("· Installing packages\n");
  const npm = process.env.npm_execpath;
  const command = npm ? [process.execPath, npm] : ["npm"];
  const options = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const { status } = spawnSync(command[0], [...command.slice(1), ...options], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0 || !existsSync(node)) {
    process.stderr.write("The packages could not be installed; npm's own words are above.\n");
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

function run() {
  const settings = existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
  const child = spawn(node, [...settings, join(root, program), ...args], {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Node keeps what it compiled: a start takes little more than half the time.
    env: { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"), ...process.env },
  });
  // The child decides when it is done; we only pass on what we are told.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // npm may be killed in a way it cannot pass on; what it started must not stay behind.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent) child.kill("SIGTERM");
    }, 1_000);
  }
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
