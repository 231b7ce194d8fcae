import { type AddressInfo, connect, createServer, type Socket } from "node:net";

type Session = { socket: Socket; client: Socket | undefined };

/**
 * A minimal pooler in transaction mode: each client signs in on its own session, and from then on every transaction gets the
 * session that became free last.
 */
export async function startTransactionPooler(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const free: Session[] = [];
  const sockets: Socket[] = [];
  const pooler = createServer((client) => {
    const own: Session = { socket: connect(Number(target.port), target.hostname), client };
    sockets.push(client, own.socket);
    for (const socket of [client, own.socket]) socket.on("error", () => {});
    readMessages(own.socket, (chunk, isTransactionOver) => {
      own.client?.write(chunk);
      if (!isTransactionOver) return;
      own.client = undefined;
      free.push(own);
    });
    let inUse = own;
    client.on("data", (chunk) => {
      if (inUse.client !== client) inUse = free.pop() ?? own;
      inUse.client = client;
      inUse.socket.write(chunk);
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

const READY_FOR_QUERY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);

/** Splits the server's bytes into messages. "Ready for query, idle" ends a transaction and the sign-in. */
function readMessages(
  socket: Socket,
  onMessage: (message: Buffer, isTransactionOver: boolean) => void,
): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(message, message[0] === READY_FOR_QUERY && message[5] === IDLE);
    }
  });
}
