// A proxy between the product and PostgreSQL that counts statements and round trips. PostgreSQL's own counters would need an
// extension or its log.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Counts = { statements: number; roundTrips: number };

export async function startCountingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const counts: Counts = { statements: 0, roundTrips: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    const count = createCounter(counts);
    let isOurTurn = false;
    client.on("data", (chunk) => {
      if (!isOurTurn) counts.roundTrips += 1;
      isOurTurn = true;
      count(chunk);
      database.write(chunk);
    });
    database.on("data", (chunk) => {
      isOurTurn = false;
      client.write(chunk);
    });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    counts,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const QUERY = 0x51;
const EXECUTE = 0x45;

/** A message is a letter, a length and a body. The first message of a connection has no letter. */
function createCounter(counts: Counts): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let headLength = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headLength + 4) {
      const length = headLength + rest.readUInt32BE(headLength);
      if (rest.length < length) return;
      if (headLength === 1 && (rest[0] === QUERY || rest[0] === EXECUTE)) counts.statements += 1;
      rest = rest.subarray(length);
      headLength = 1;
    }
  };
}
