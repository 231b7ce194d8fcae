import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";

/** As in supabase-js. */
const RECONNECT_MS = 1_000;
const HEARTBEAT_MS = 25_000;
const HEARTBEAT = JSON.stringify({ topic: "phoenix", event: "heartbeat", ref: "2", payload: {} });

/** Open pages, one per person, each subscribed to its owner's chats. A page that is cut off reconnects or joins again. */
export async function openPages(options: { port: number; apikey: string; tokens: readonly string[] }) {
  const { port, apikey, tokens } = options;
  const sockets = new Set<WebSocket>();
  const waiting = tokens.map(() => new Map<number, () => void>());
  let isClosed = false;

  const open = async (token: string, number: number): Promise<void> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${apikey}&vsn=1.0.0`, {
      headers: { "x-forwarded-for": `10.255.${number >> 8}.${number & 255}` },
    });
    sockets.add(socket);
    const heartbeat = setInterval(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send(HEARTBEAT);
    }, HEARTBEAT_MS);
    // A close event follows.
    socket.on("error", () => {});
    socket.on("close", async () => {
      clearInterval(heartbeat);
      sockets.delete(socket);
      await wait(RECONNECT_MS);
      if (!isClosed) void open(token, number);
    });
    const join = () => {
      if (socket.readyState === WebSocket.OPEN) socket.send(joinOf(token, number));
    };
    socket.on("open", join);
    socket.on("message", (message) => {
      const text = String(message);
      if (isRefusal(text)) setTimeout(join, RECONNECT_MS);
      const received = Number(/change (\d+)\./.exec(text)?.[1] ?? 0);
      for (const [change, resolve] of waiting[number] ?? []) {
        if (change > received) continue;
        waiting[number]?.delete(change);
        resolve();
      }
    });
  };
  await Promise.all(tokens.map(open));
  await Promise.all([...sockets].map((socket) => once(socket, "message")));
  return {
    /** Resolves when the person's page receives this change of their chat, or a later one: a notification carries the current row. */
    change: (person: number, change: number) =>
      new Promise<void>((resolve) => waiting[person]?.set(change, resolve)),
    close: () => {
      isClosed = true;
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** The channel was closed or refused. The page joins again. */
function isRefusal(text: string): boolean {
  const { event, payload } = JSON.parse(text) as { event: string; payload?: { status?: unknown } };
  return event === "phx_error" || event === "phx_close" || payload?.status === "error";
}

function joinOf(token: string, number: number): string {
  const config = { postgres_changes: [{ event: "*", schema: "public", table: "chats" }] };
  const payload = { config, access_token: token };
  return JSON.stringify({
    topic: `realtime:page-${number}`,
    event: "phx_join",
    ref: "1",
    join_ref: "1",
    payload,
  });
}
