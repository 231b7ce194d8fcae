import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The startup parameters that PgBouncer accepts: https://www.pgbouncer.org/config.html (`ignore_startup_parameters`) */
const ACCEPTED = new Set([
  ...["user", "database", "client_encoding", "datestyle", "timezone", "standard_conforming_strings"],
  "application_name",
]);

/** A minimal PgBouncer in session mode: each client has a session of its own, but most startup parameters are refused. */
export async function startSessionPooler(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const pooler = createServer((client) => {
    sockets.push(client);
    client.on("error", () => {});
    client.once("data", (startup) => {
      const refused = parametersOf(startup).find((name) => !ACCEPTED.has(name.toLowerCase()));
      if (refused !== undefined) {
        client.end(refusal(`unsupported startup parameter: ${refused}`));
        return;
      }
      const server = connect(Number(target.port), target.hostname);
      sockets.push(server);
      server.on("error", () => client.destroy());
      server.write(startup);
      client.pipe(server).pipe(client);
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.port = String((pooler.address() as AddressInfo).port);
  return {
    url: url.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => pooler.close(resolve));
    },
  };
}

/** Length, protocol version, then names and values, each ended by a zero byte. */
function parametersOf(startup: Buffer): string[] {
  const words = startup.subarray(8).toString("utf8").split("\0");
  return words.filter((word, place) => place % 2 === 0 && word !== "");
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
