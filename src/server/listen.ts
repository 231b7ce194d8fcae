import type { Server } from "node:http";
import { StartError } from "#backend/postgres/start-error.ts";

// What is still being answered when we are told to stop gets this long.
const DRAIN_MS = 2_000;

/** Starts listening and tells the port, which matters when the asked one is 0. */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        reject(
          new StartError(`Port ${port} is taken by another program; stop it, or choose another with PORT.`),
        );
      } else if (error.code === "EACCES") {
        reject(
          new StartError(`Port ${port} may not be opened by this user; choose one above 1023 with PORT.`),
        );
      } else reject(error);
    });
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

/** Takes no new connection, lets answers finish, then cuts what is left. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(cut);
}
