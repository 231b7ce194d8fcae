import { once } from "node:events";
import { createServer } from "node:net";
import { StartError } from "#backend/postgres/start-error.ts";
import { withTimeout } from "#platform/timing.ts";

export type ListenPort = { host: string; port: number; setting: "PORT" | "MAIL_IN_PORT" };

export function refusedPort(error: unknown, { host, port, setting }: ListenPort): StartError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS[code];
  if (reason) return new StartError(`Port ${port} ${reason} with ${setting}.`, { cause: error });
  return new StartError(
    `HOST or MAIL_IN_HOST is ${host}, which isn't an address of this machine${code && ` (${code})`}; set it to 127.0.0.1, or to 0.0.0.0 for all of them.`,
    { cause: error },
  );
}

const REASONS: Record<string, string> = {
  EADDRINUSE: "is taken by another program; stop it, or choose another",
  EACCES: "can't be opened by this user; choose one above 1023",
};

// The host name may have to be resolved.
const OPEN_WITHIN_MS = 6_000;

/** Opens the port and closes it again. */
export async function requireOpenablePort(listenPort: ListenPort): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port: listenPort.port, host: listenPort.host });
    await withTimeout(OPEN_WITHIN_MS, once(server, "listening"));
  } catch (error) {
    throw refusedPort(error, listenPort);
  } finally {
    server.close();
  }
}
