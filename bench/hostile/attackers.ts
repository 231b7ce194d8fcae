// The three who do their worst in hostile.ts, in a process of their own: what they cost themselves must not be measured.
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type Attack = {
  seconds: number;
  url: string;
  publishableKey: string;
  telegramUrl: string;
  /** Of the normal person, whom the guest tries to guess the password of. */
  victimEmail: string;
  /** A chat of the bot user's own, with a message of the bot in it. */
  talker: { personId: number; messageId: number };
  /** An account with a filter. */
  person: { accessToken: string };
};

/** How often each got which answer. */
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
  /** Again and again, so many at once, until the time is over. */
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
        // Whoever is refused at once asks again at once, but not in a circle that never lets go.
        await wait(pauseMs);
      }
    };
    return Promise.all(Array.from({ length: atOnce }, (_, number) => worker(number)));
  };
  await Promise.all([
    ...guest(attack, flood),
    slowHeaders(attack, counts, endAt),
    person(attack, flood, counts, endAt),
    ...botUser(attack, flood),
  ]);
  return counts;
}

type Flood = (
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

/** Connections that never finish their first request; each that is cut is opened anew. */
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

async function person(attack: Attack, flood: Flood, counts: AttackCounts, endAt: number): Promise<void> {
  const token = attack.person.accessToken;
  const headers = {
    apikey: attack.publishableKey,
    authorization: `Bearer ${token}`,
    "x-forwarded-for": PERSON,
  };
  const rows = `${attack.url}/rest/v1/filter_settings`;
  const ask = (query: string) => fetch(`${rows}?${query}`, { headers });
  const backtracking = encodeURIComponent("(.+)(.+)(.+)(.+)\\1\\2\\3\\4b*/$");
  const manyStars = `*${"a*".repeat(60)}~`;
  const manyConditions = Array.from({ length: 300 }, (_, n) => `filter_url.ilike.*${n}*a*e*i*`).join(",");
  await Promise.all([
    flood("person: match", 25, () => ask(`filter_url=match.${backtracking}`)),
    flood("person: like", 10, () => ask(`filter_url=like.${manyStars}`)),
    flood("person: huge or", 10, () => ask(`or=(${manyConditions})`)),
    flood("person: plain reads", 20, () => ask("select=*")),
    joins(attack, { token, counts, endAt }),
  ]);
}

async function joins(
  attack: Attack,
  { token, counts, endAt }: { token: string; counts: AttackCounts; endAt: number },
): Promise<void> {
  const tally = { sockets: 0, closed: 0, joins: 0 };
  counts["person: realtime joins"] = tally;
  const address = `${attack.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${attack.publishableKey}&vsn=1.0.0`;
  const config = { postgres_changes: [{ event: "*", schema: "public", table: "filter_settings" }] };
  const keepJoining = async () => {
    while (Date.now() < endAt) {
      const socket = new WebSocket(address);
      tally.sockets += 1;
      const closed = new Promise((resolve) => {
        socket.addEventListener("close", resolve);
        socket.addEventListener("error", resolve);
      });
      let isOpen = true;
      void closed.then(() => {
        isOpen = false;
        tally.closed += 1;
      });
      await Promise.race([closed, new Promise((resolve) => socket.addEventListener("open", resolve))]);
      for (let n = 0; isOpen && Date.now() < endAt; n += 1) {
        const topic = `realtime:hostile-${n % 90}`;
        const payload = { config, access_token: token };
        socket.send(
          JSON.stringify({ topic, event: "phx_join", payload, ref: String(n), join_ref: String(n) }),
        );
        tally.joins += 1;
        await wait(20);
      }
      socket.close();
      await wait(50);
    }
  };
  await Promise.all(Array.from({ length: 10 }, keepJoining));
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
    // As fast as a program on a phone's account can: some twenty a second.
    flood("bot user: /id", 1, () => act("say", { text: "/id" }), 50),
    flood(
      "bot user: presses",
      1,
      (turn) => act("press", { chatId: personId, messageId, data: `x${turn}`, isForged: true }),
      50,
    ),
  ];
}
