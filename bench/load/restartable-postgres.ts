// A PostgreSQL server that can be restarted or crashed while its address stays the same.
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#backend/postgres/embedded-postgres.ts";
import { run } from "#test/postgres/migrated-postgres.ts";
import { postmasterOf } from "#test/server-process.ts";

export interface RestartablePostgres {
  readonly url: string;
  readonly postmasterPid: () => Promise<number>;
  /** "crash" kills it in the middle of its work; it recovers at the next start. */
  readonly restart: (how: "stop" | "crash") => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-restarted-"));
  const start = () => startEmbeddedPostgres({ folder: join(dataDir, "postgres"), password: "test" });
  let server = await start();
  // As an administrator does, before the product checks its logins.
  await run(server.url, await readFile("supabase/prepare-database.sql", "utf8"));
  const proxy = await startProxy(() => Number(new URL(server.url).port));
  const url = new URL(server.url);
  url.port = String(proxy.port);
  const postmasterPid = async () => (await postmasterOf(dataDir)).pid;
  return {
    url: url.href,
    postmasterPid,
    restart: async (how) => {
      if (how === "crash") process.kill(await postmasterPid(), "SIGQUIT");
      await server.stop();
      server = await start();
    },
    stop: async () => {
      await proxy.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The server has a new port after each start; the proxy's port stays. */
async function startProxy(targetPort: () => number) {
  const sockets = new Set<Socket>();
  const join = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.pipe(other);
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    const database = connect(targetPort(), "127.0.0.1");
    join(client, database);
    join(database, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
