// The embedded PostgreSQL server: one cluster in one folder, owned by one process. It does not know what the database
// contains.
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { ensureLogins } from "../login-roles.ts";
import { POSTGRES_MAJOR, type PostgresBinaries, requirePostgresBinaries } from "./binaries.ts";
import { createCluster } from "./create-cluster.ts";
import { explainFailure, isStillUsed } from "./explain-failure.ts";
import { findPostmaster, killPostmaster, type Postmaster, readIfThere } from "./postmaster.ts";
import { chooseRunAs, type RunAs } from "./run-as.ts";
import { JUST_STARTED, StartError, StillUsedError } from "./start-error.ts";

export type EmbeddedPostgres = {
  url: string;
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>;
  /** Fast shutdown, then immediate, then SIGKILL, within the given time. Committed data is never lost. */
  stop: (withinMs?: number) => Promise<void>;
};

export type EmbeddedPostgresOptions = {
  folder: string;
  password: string;
  /** Server settings beyond the defaults, passed with `-c`. */
  settings?: Record<string, string>;
  onLog?: (line: string) => void;
  /** Of another PostgreSQL version, for a cluster written by it. */
  binaries?: PostgresBinaries & { major: string };
};

// An arbitrary number, the same in every start on the same cluster.
const OWNER_LOCK = 7_370_001;
const STOP_WITHIN_MS = 8_000;
const LEFTOVERS_GRACE_MS = 10_000;

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { folder, password } = options;
  const binaries = options.binaries ?? (await requirePostgresBinaries());
  const runAs = await chooseRunAs(folder, [folder, binaries.postgres]);
  const leftover = await requireFreeCluster(folder, password, options.binaries?.major);
  if (!(await versionOf(folder))) await createCluster({ binaries, runAs, folder, password });
  else await clearLeftovers(folder, leftover);

  const server = await launchWhenFree({ ...options, binaries, runAs });
  const owner = await takeOwnership(server.url);
  await ensureLogins(owner, server.url);
  return {
    url: server.url,
    exited: server.exited,
    stop: async (withinMs = STOP_WITHIN_MS) => {
      // The server ends this session and its lock, so there is no need to wait.
      void owner.end({ timeout: 0 });
      await stopServer(server, withinMs);
    },
  };
}

/**
 * Makes sure that the folder is empty or holds a cluster of ours that nobody uses. After a kill -9 the server may still
 * run, or only its postmaster.pid may be left. The owner holds an advisory lock as long as its connection lives, so the
 * server itself tells whether it is in use. Returns the running server if it has no owner.
 */
export async function requireFreeCluster(
  folder: string,
  password: string,
  major = String(POSTGRES_MAJOR),
): Promise<Postmaster | undefined> {
  const version = await versionOf(folder);
  if (version !== undefined && version !== major) {
    throw new StartError(
      `The data in ${folder} was written by PostgreSQL ${version}, and this is PostgreSQL ${major}; run \`npm run ops -- upgrade --from <folder>\` with the folder of PostgreSQL ${version}'s programs (docs/operating.md).`,
    );
  }
  const postmaster = version === undefined ? undefined : await findPostmaster(folder);
  if (postmaster && (await isOwned(postmaster, password))) {
    throw new StartError(
      `Sereno is already running on ${folder}; stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return postmaster;
}

export async function versionOf(folder: string): Promise<string | undefined> {
  return (await readIfThere(join(folder, "PG_VERSION")))?.trim();
}

async function clearLeftovers(folder: string, postmaster: Postmaster | undefined): Promise<void> {
  if (!postmaster) {
    await rm(join(folder, "postmaster.pid"), { force: true });
    return;
  }
  process.kill(postmaster.pid, "SIGINT");
  const deadline = Date.now() + 10_000;
  while (await findPostmaster(folder)) {
    if (Date.now() > deadline) {
      throw new StartError(
        `The PostgreSQL server ${postmaster.pid} left over on ${folder} does not stop; kill it manually.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isOwned(postmaster: Postmaster, password: string): Promise<boolean> {
  const sql = connect(localDatabaseUrl(postmaster.port, password));
  try {
    const [row] = await sql`select pg_try_advisory_lock(${OWNER_LOCK}) as free`;
    return row?.free !== true;
  } catch (error) {
    // 57P03: the server is starting or stopping, so another Sereno controls it. Connection refused: it has just ended.
    if (hasCode(error, "57P03")) return true;
    if (hasCode(error, "ECONNREFUSED")) return false;
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function takeOwnership(url: string) {
  const owner = connect(url);
  const [row] = await owner`select pg_try_advisory_lock(${OWNER_LOCK}) as free`;
  if (row?.free !== true) {
    await owner.end({ timeout: 1 });
    throw new StartError(JUST_STARTED);
  }
  return owner;
}

function connect(url: string) {
  return postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
  });
}

export function localDatabaseUrl(port: number, password: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

type Launched = { url: string; child: ChildProcess; exited: Promise<void> };

type LaunchOptions = Omit<EmbeddedPostgresOptions, "binaries"> & { binaries: PostgresBinaries; runAs: RunAs };

async function launchWhenFree(options: LaunchOptions): Promise<Launched> {
  const deadline = Date.now() + LEFTOVERS_GRACE_MS;
  for (;;) {
    try {
      return await launch(options);
    } catch (error) {
      if (!(error instanceof StillUsedError) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function launch(options: LaunchOptions): Promise<Launched> {
  const { folder, password, settings, binaries, runAs, onLog } = options;
  const port = await freePort();
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // About twice what one process with every role opens (user-pool.ts).
    max_connections: "100",
    shared_buffers: `${sharedBuffersMb()}MB`,
    // A quarter of what it would be, in time all of it touched: our transactions are small, and each commit flushes its own.
    wal_buffers: "4MB",
    // By default the two writers wake up five times a second each, also when the product is idle. Neither is needed for
    // durability: each commit flushes its own records.
    bgwriter_delay: "2s",
    wal_writer_delay: "2s",
    ...settings,
  };
  const { program, args, as } = runAs.command(binaries.postgres, [
    `-D${folder}`,
    `-p${port}`,
    ...Object.entries(all).map(([name, value]) => `-c${name}=${value}`),
  ]);
  // Detached: Ctrl-C signals the whole foreground group, but the database must outlive its clients.
  const child = spawn(program, args, {
    ...as,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // Stops the database whenever this process exits, unless it is killed.
  const endToo = () => child.kill("SIGINT");
  process.once("exit", endToo);
  void exited.then(() => process.off("exit", endToo));
  await untilReady(child, folder, onLog ?? (() => {}));
  return { url: localDatabaseUrl(port, password), child, exited };
}

/** An eighth of the memory, allocated only as it is used. PostgreSQL's default suits small databases. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(1024, Math.max(128, Math.floor(bytes / 8 / 2 ** 20)));
}

function untilReady(child: ChildProcess, folder: string, onLog: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    let isReady = false;
    child.stderr?.on("data", (chunk: Buffer) => {
      for (const line of String(chunk).split("\n")) if (line) onLog(line);
      if (isReady) return;
      log += chunk;
      isReady = log.includes("database system is ready to accept connections");
      if (isReady) resolve();
    });
    child.once("error", reject);
    child.once("close", () => {
      const said = log.trim().split("\n").at(-1);
      const sentence = explainFailure(log, folder) ?? `PostgreSQL did not start on ${folder}: ${said}`;
      reject(isStillUsed(log) ? new StillUsedError(sentence) : new StartError(sentence));
    });
  });
}

/** Fast shutdown rolls back open transactions; after an immediate one the next start recovers. */
async function stopServer({ child, exited }: Launched, withinMs: number): Promise<void> {
  child.kill("SIGINT");
  const lastResorts = [
    setTimeout(() => child.kill("SIGQUIT"), withinMs * 0.6),
    // PostgreSQL itself waits five seconds for a child process that does not respond.
    setTimeout(() => void killPostmaster(child.pid ?? 0), withinMs * 0.8),
  ];
  await exited;
  for (const timer of lastResorts) clearTimeout(timer);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
