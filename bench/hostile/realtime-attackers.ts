import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";

type RealtimeAttack = {
  url: string;
  publishableKey: string;
  token: string;
  address: string;
  counts: Record<string, Record<string, number>>;
  endAt: number;
};

/** Ten sockets join one channel after another. */
export function floodJoins(attack: RealtimeAttack): Promise<unknown> {
  return floodSockets(attack, { name: "realtime: joins", sockets: 10, everyMs: 20, burst: 1 }, (n) =>
    joinOf(attack.token, n),
  );
}

/** A hundred sockets of one account send tokens in large frames, below the 200 a second that 0.2.0 allowed each socket. */
export function floodTokens(attack: RealtimeAttack): Promise<unknown> {
  const payload = { access_token: attack.token, padding: "x".repeat(8_000) };
  const topic = "realtime:hostile-0";
  const frame = JSON.stringify({ topic, event: "access_token", payload, ref: "2", join_ref: "0" });
  return floodSockets(attack, { name: "realtime: tokens", sockets: 100, everyMs: 100, burst: 15 }, (n) =>
    n === 0 ? joinOf(attack.token, 0) : frame,
  );
}

function joinOf(token: string, n: number): string {
  const config = { postgres_changes: [{ event: "*", schema: "public", table: "searches" }] };
  const ref = String(n);
  const payload = { config, access_token: token };
  const topic = `realtime:hostile-${n % 90}`;
  return JSON.stringify({ topic, event: "phx_join", payload, ref, join_ref: ref });
}

/** Keeps sockets open until the time is over and sends on each of them, regardless of the answers, which are counted. */
async function floodSockets(
  { url, publishableKey, address, counts, endAt }: RealtimeAttack,
  { name, sockets, everyMs, burst }: { name: string; sockets: number; everyMs: number; burst: number },
  frameOf: (n: number) => string,
): Promise<void> {
  const tally = { sockets: 0, refused: 0, closed: 0, frames: 0, replies: 0 };
  counts[name] = tally;
  const path = `/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`;
  const options = { headers: { "x-forwarded-for": address } };
  const attackWithOne = async () => {
    while (Date.now() < endAt) {
      const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, options);
      const opened = new Promise<boolean>((resolve) => {
        socket.on("open", () => resolve(true));
        socket.on("close", () => resolve(false));
      });
      // A close event follows.
      socket.on("error", () => {});
      socket.on("message", () => {
        tally.replies += 1;
      });
      if (await opened) tally.sockets += 1;
      else tally.refused += 1;
      for (let n = 0; socket.readyState === WebSocket.OPEN && Date.now() < endAt; n += 1) {
        for (let sent = 0; sent < burst; sent += 1) socket.send(frameOf(n * burst + sent));
        tally.frames += burst;
        await wait(everyMs);
      }
      if (Date.now() < endAt) tally.closed += 1;
      socket.terminate();
      await wait(50);
    }
  };
  await Promise.all(Array.from({ length: sockets }, attackWithOne));
}
