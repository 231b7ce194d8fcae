import { type ChildProcess, fork } from "node:child_process";
import { findPostmaster, killPostmaster, type Postmaster } from "#backend/postgres/postmaster.ts";

type Message = { step?: string; ready?: Ready; wish?: string };
type Ready = { environment?: Record<string, string>; consoleUrl?: string };

export type Program = {
  pid: number | undefined;
  ready: Promise<Ready>;
  /** Stops the program, by force if it has not ended within the given time. */
  stop: (withinMs?: number) => Promise<void>;
};

// Slightly more than the product takes to stop.
const STOP_WITHIN_MS = 9_000;

/** Starts a program in its own process and follows it until it is ready and until it ends. */
export function startProgram(options: {
  path: string;
  environment?: NodeJS.ProcessEnv;
  nodeOptions?: string[];
  stdout?: number;
  /** The folder of the program's database, which must not outlive it. */
  databaseFolder?: string;
  onStep: (step: string) => void;
  /** Does what the program asks for, and tells it how that went. */
  onWish?: (wish: string) => Promise<void>;
  onExit: (code: number) => void;
}): Program {
  // The program itself reports a folder that cannot be read.
  const runningBefore = postmasterIn(options.databaseFolder).catch(() => undefined);
  const child = fork(options.path, {
    env: options.environment ?? process.env,
    // In a packed release a preloaded module lets Node run TypeScript.
    execArgv: [
      ...process.execArgv.filter((option) => /^--(?:import|disable-warning)=/.test(option)),
      ...(options.nodeOptions ?? []),
    ],
    // In its own process group: Ctrl-C reaches only us, and we stop the programs in order.
    detached: true,
    stdio: ["ignore", options.stdout ?? "inherit", "inherit", "ipc"],
  });
  let isStopping = false;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ready = new Promise<Ready>((resolve, reject) => {
    child.on("message", (message: Message) => {
      if (message.step) options.onStep(message.step);
      if (message.ready) resolve(message.ready);
      if (message.wish !== undefined) void answerWish(child, options.onWish?.(message.wish));
    });
    child.once("error", reject);
  });
  child.once("exit", (code) => {
    if (!isStopping) options.onExit(code ?? 1);
  });
  return {
    pid: child.pid,
    ready,
    stop: async (withinMs = STOP_WITHIN_MS) => {
      isStopping = true;
      await endProcess(child, exited, withinMs);
      const left = await postmasterIn(options.databaseFolder);
      // The program was refused if another product was using the folder; that product's database must go on.
      if (left && left.pid !== (await runningBefore)?.pid) await killPostmaster(left.pid);
    },
  };
}

async function answerWish(child: ChildProcess, done: Promise<void> | undefined): Promise<void> {
  const problem = await (done ?? Promise.reject(new Error("Nobody does that here"))).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (child.connected) child.send({ problem });
}

async function postmasterIn(folder: string | undefined): Promise<Postmaster | undefined> {
  return folder === undefined ? undefined : await findPostmaster(folder);
}

async function endProcess(child: ChildProcess, exited: Promise<void>, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const lastResort = setTimeout(() => child.kill("SIGKILL"), withinMs);
  await exited;
  clearTimeout(lastResort);
}
