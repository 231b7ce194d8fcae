import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Listens in front of a database. `serve` gets each client, and a function that connects to the database for it. */
export async function startPooler(
  databaseUrl: string,
  serve: (client: Socket, connectToDatabase: () => Socket) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  const target = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const keep = (socket: Socket): Socket => {
    sockets.push(socket);
    return socket.on("error", () => {});
  };
  const pooler = createServer((client) =>
    serve(keep(client), () => keep(connect(Number(target.port), target.hostname))),
  );
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
