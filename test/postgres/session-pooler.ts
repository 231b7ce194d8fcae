import { startPooler } from "./pooler.ts";

/** The startup parameters that PgBouncer accepts: https://www.pgbouncer.org/config.html (`ignore_startup_parameters`) */
const ACCEPTED = new Set([
  ...["user", "database", "client_encoding", "datestyle", "timezone", "standard_conforming_strings"],
  "application_name",
]);

/** A minimal PgBouncer in session mode: each client has a session of its own, but most startup parameters are refused. */
export function startSessionPooler(databaseUrl: string) {
  return startPooler(databaseUrl, (client, connectToDatabase) => {
    client.once("data", (startup) => {
      const refused = parametersOf(startup).find((name) => !ACCEPTED.has(name.toLowerCase()));
      if (refused !== undefined) {
        client.end(refusal(`unsupported startup parameter: ${refused}`));
        return;
      }
      const server = connectToDatabase();
      server.on("error", () => client.destroy());
      server.write(startup);
      client.pipe(server).pipe(client);
    });
  });
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
