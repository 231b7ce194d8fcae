import type { Socket } from "node:net";
import { startPooler } from "./pooler.ts";

type Session = { socket: Socket; client: Socket | undefined };

/**
 * A minimal pooler in transaction mode: each client signs in on its own session, and from then on every transaction gets the
 * session that became free last.
 */
export function startTransactionPooler(databaseUrl: string) {
  const free: Session[] = [];
  return startPooler(databaseUrl, (client, connectToDatabase) => {
    const own: Session = { socket: connectToDatabase(), client };
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
