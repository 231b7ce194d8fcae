// The attackers of hostile.ts, in a separate process, so that their CPU time does not count.
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { floodBodies, floodTrees, floodWrongPasswords, holdExports } from "./byte-attackers.ts";
import { floodJoins, floodTokens } from "./realtime-attackers.ts";

export type AttackerName =
  | "guest"
  | "person"
  | "realtime"
  | "bot user"
  | "bodies"
  | "trees"
  | "passwords"
  | "exports";

export type Attack = {
  attackers: readonly AttackerName[];
  seconds: number;
  url: string;
  publishableKey: string;
  telegramUrl: string;
  /** The normal person's address; the guest guesses the password. */
  victimEmail: string;
  /** The bot user's chat, with a message of the bot. */
  talker: { personId: number; messageId: number };
  /** An account with a filter. */
  person: { accessToken: string };
};

/** The number of answers by attacker and status. */
export type AttackCounts = Record<string, Record<string, number>>;

const GUEST = "203.0.113.10";
const PERSON = "203.0.113.20";

process.once("message", async (attack: Attack) => {
  const counts = await run(attack);
  process.send?.(counts, () => process.exit(0));
});

async function run(attack: Attack): Promise<AttackCounts> {
  const endAt = Date.now() + attack.seconds * 1000;
  const counts: AttackCounts = {};
  /** Repeats a request with a number of workers until the time is over. */
  const flood: Flood = (name, atOnce, ask, pauseMs = 5) => {
    const tally: Record<string, number> = {};
    counts[name] = tally;
    const worker = async (number: number) => {
      for (let turn = number; Date.now() < endAt; turn += atOnce) {
        const status = await ask(turn).then(
          async (answer) => {
            await answer.arrayBuffer();
            return String(answer.status);
          },
          () => "no answer",
        );
        tally[status] = (tally[status] ?? 0) + 1;
        // Without a pause, refusals would keep this process busy and distort the timing.
        await wait(pauseMs);
      }
    };
    return Promise.all(Array.from({ length: atOnce }, (_, number) => worker(number)));
  };
  const realtime = { ...attack, token: attack.person.accessToken, address: PERSON, counts, endAt };
  const attackers: Record<AttackerName, () => Promise<unknown>[]> = {
    guest: () => [...guest(attack, flood), slowHeaders(attack, counts, endAt)],
    person: () => person(attack, flood),
    realtime: () => [floodJoins(realtime), floodTokens(realtime)],
    "bot user": () => botUser(attack, flood),
    bodies: () => [floodBodies(attack, flood)],
    trees: () => [floodTrees(attack, flood)],
    passwords: () => [floodWrongPasswords(attack, flood)],
    exports: () => [holdExports(attack, { counts, endAt })],
  };
  await Promise.all(attack.attackers.flatMap((name) => attackers[name]()));
  return counts;
}

export type Flood = (
  name: string,
  atOnce: number,
  ask: (turn: number) => Promise<Response>,
  pauseMs?: number,
) => Promise<unknown>;

function post(attack: Attack, path: string, address: string, body: object): Promise<Response> {
  return fetch(`${attack.url}${path}`, {
    method: "POST",
    headers: {
      apikey: attack.publishableKey,
      "content-type": "application/json",
      "x-forwarded-for": address,
    },
    body: JSON.stringify(body),
  });
}

function guest(attack: Attack, flood: Flood): Promise<unknown>[] {
  const guess = (turn: number) => ({ email: attack.victimEmail, password: `guess-${turn}` });
  const token = "token?grant_type=password";
  return [
    flood("guest: password guesses", 10, (turn) => post(attack, `/auth/v1/${token}`, GUEST, guess(turn))),
    flood("guest: guesses by %61uth", 10, (turn) => post(attack, `/%61uth/v1/${token}`, GUEST, guess(turn))),
    flood("guest: resets", 5, (turn) =>
      post(attack, "/auth/v1/recover", GUEST, { email: `nobody-${turn}@example.com` }),
    ),
    flood("guest: pages and data", 20, (turn) =>
      fetch(`${attack.url}${turn % 2 ? "/" : "/rest/v1/demo_listings?select=*"}`, {
        headers: { apikey: attack.publishableKey, "x-forwarded-for": GUEST },
      }),
    ),
  ];
}

/** Connections that never finish their first request; the attacker replaces each one that is cut. */
async function slowHeaders(attack: Attack, counts: AttackCounts, endAt: number): Promise<void> {
  const tally = { opened: 0, cut: 0 };
  counts["guest: slow headers"] = tally;
  const { hostname, port } = new URL(attack.url);
  const hold = async () => {
    while (Date.now() < endAt) {
      const socket = connect(Number(port), hostname);
      tally.opened += 1;
      const dripping = setInterval(() => socket.write("x"), 1_000);
      socket.on("error", () => {}).write("GET / HTTP/1.1\r\nX-Slow: ");
      await Promise.race([new Promise((resolve) => socket.once("close", resolve)), wait(endAt - Date.now())]);
      clearInterval(dripping);
      if (socket.destroyed) tally.cut += 1;
      socket.destroy();
      await wait(5);
    }
  };
  await Promise.all(Array.from({ length: 50 }, hold));
}

function person(attack: Attack, flood: Flood): Promise<unknown>[] {
  const headers = {
    apikey: attack.publishableKey,
    authorization: `Bearer ${attack.person.accessToken}`,
    "x-forwarded-for": PERSON,
  };
  const rows = `${attack.url}/rest/v1/filter_settings`;
  const ask = (query: string) => fetch(`${rows}?${query}`, { headers });
  const backtracking = encodeURIComponent("(.+)(.+)(.+)(.+)\\1\\2\\3\\4b*/$");
  const manyStars = `*${"a*".repeat(60)}~`;
  const manyConditions = Array.from({ length: 300 }, (_, n) => `filter_url.ilike.*${n}*a*e*i*`).join(",");
  return [
    flood("person: match", 25, () => ask(`filter_url=match.${backtracking}`)),
    flood("person: like", 10, () => ask(`filter_url=like.${manyStars}`)),
    flood("person: huge or", 10, () => ask(`or=(${manyConditions})`)),
    flood("person: plain reads", 20, () => ask("select=*")),
  ];
}

function botUser(attack: Attack, flood: Flood): Promise<unknown>[] {
  const { personId, messageId } = attack.talker;
  const act = (deed: string, body: object) =>
    fetch(`${attack.telegramUrl}/control/people/${personId}/${deed}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return [
    // About twenty a second is what a script with a user's account can send.
    flood("bot user: /id", 1, () => act("say", { text: "/id" }), 50),
    flood(
      "bot user: presses",
      1,
      (turn) => act("press", { chatId: personId, messageId, data: `x${turn}`, isForged: true }),
      50,
    ),
  ];
}
