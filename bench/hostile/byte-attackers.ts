// Attacks by size: large bodies, answers that nobody reads, expensive filters, and password checks from many networks.
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, AttackCounts, Flood } from "./attackers.ts";

const GUEST = "203.0.113.30";
const PERSON = "203.0.113.40";
const NETWORKS = 60;
const UNREAD = 200;
/** The longest that a client can let an answer wait, if the server does nothing about it. */
const HOLD_MS = 20_000;

/** A guest's, none of whose requests may write anything. */
export function floodBodies(attack: Attack, flood: Flood): Promise<unknown> {
  const bodies = ["1,", "{},", '"",', "[1],"].map((item) => {
    const count = Math.floor(1_040_000 / item.length);
    return `[${item.repeat(count).slice(0, -1)}]`;
  });
  const paths = ["rpc/export_my_data", "demo_listings", "rpc/no_such_function", "searches"];
  return flood("bytes: 1 MB bodies", 6, (turn) =>
    fetch(`${attack.url}/rest/v1/${paths[turn % paths.length]}`, {
      method: "POST",
      headers: headersOf(attack, GUEST),
      body: bodies[turn % bodies.length] ?? "",
    }),
  );
}

export function floodTrees(attack: Attack, flood: Flood): Promise<unknown> {
  const headers = { ...headersOf(attack, PERSON), authorization: `Bearer ${attack.person.accessToken}` };
  return flood("bytes: wide or", 8, (turn) => {
    const pattern = "*a*e*i*o*u*n*s*r*t*l*d*";
    const tree = Array.from({ length: 100 }, (_, n) => `place_name.ilike.${pattern}${turn}${n}*`).join(",");
    return fetch(`${attack.url}/rest/v1/market_figures?select=place_id&or=(${tree})`, { headers });
  });
}

export function floodWrongPasswords(attack: Attack, flood: Flood): Promise<unknown> {
  return flood("bytes: wrong passwords", NETWORKS * 4, (turn) =>
    fetch(`${attack.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: headersOf(attack, `198.18.${turn % NETWORKS}.1`),
      body: JSON.stringify({ email: `nobody-${turn}@example.com`, password: "a-wrong-password" }),
    }),
  );
}

/** Asks for the whole export of an account with many finds on many connections, and reads none of the answers. */
export async function holdExports(
  attack: Attack,
  { counts, endAt }: { counts: AttackCounts; endAt: number },
): Promise<void> {
  const tally = { asked: 0, cut: 0 };
  counts["bytes: unread exports"] = tally;
  const { hostname, port } = new URL(attack.url);
  const headers = { ...headersOf(attack, PERSON), authorization: `Bearer ${attack.person.accessToken}` };
  const lines = Object.entries({ ...headers, host: hostname, "content-length": "2" });
  const request = `POST /rest/v1/rpc/export_my_data HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n{}`;
  const hold = async () => {
    while (Date.now() < endAt) {
      const socket = connect(Number(port), hostname);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.on("error", () => {}).write(request);
      socket.pause();
      tally.asked += 1;
      await Promise.race([closed, wait(Math.min(HOLD_MS, endAt - Date.now()))]);
      if (socket.destroyed) tally.cut += 1;
      socket.destroy();
      await wait(500);
    }
  };
  await Promise.all(Array.from({ length: UNREAD }, hold));
}

const headersOf = (attack: Attack, address: string) => ({
  apikey: attack.publishableKey,
  "content-type": "application/json",
  "x-forwarded-for": address,
});
