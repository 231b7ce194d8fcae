// A guest, a person and a bot user each do their worst for half a minute, beside a normal person. What that one waits for:
// a page, a sign-in, their own row, a save, an answer of the bot. The argument is the seconds.
import { fork } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import { say } from "#simulators/telegram/phone/speak.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { milliseconds, quantile, startBenchServer } from "../bench-server.ts";
import { settingsFor } from "../whole-product.ts";
import type { Attack, AttackCounts } from "./attackers.ts";

const SECONDS = Number(process.argv[2] ?? 30);
const QUIET_SECONDS = 10;
const P95_MS = 1_000;
/** Longer than anybody waits; what has not come by then counts as this long. */
const PATIENCE_MS = 30_000;
const NORMAL = {
  address: "198.51.100.7",
  email: "normal@example.com",
  password: "a-normal-password-of-hers",
};

const portal = await startPortalSimulator({ size: 2_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator({ control: true });
const server = await startBenchServer(settingsFor(portal, telegram));
const { publishableKey } = (await (await fetch(`${server.url}/config.json`)).json()) as {
  publishableKey: string;
};

type Times = Record<string, number[]>;

const person = createPerson(telegram, { isStarted: true });
// In a chat of its own: each save is told to the other, and Telegram itself makes a chat wait that gets so many messages.
const asker = createPerson(telegram, { isStarted: true });
const talker = createPerson(telegram, { isStarted: true });
const client = openClient();
const { user } = await signUp(client, NORMAL);
const hostileClient = openClient("203.0.113.20");
const hostile = await signUp(hostileClient, {
  email: "hostile@example.com",
  password: "a-hostile-password-of-his",
});
await save(hostileClient, hostile.user.id, String(talker.id));
await botAnswer(talker.id);

const quiet = await live(QUIET_SECONDS);
const attack = startAttack();
const beside = await live(SECONDS);
const counts = await attack;
await server.stop();
await Promise.all([portal.close(), telegram.close()]);

console.log(`Alone, ${QUIET_SECONDS} s`);
console.table(tableOf(quiet));
console.log(`Beside a guest, a person and a bot user at their worst, ${SECONDS} s`);
console.table(tableOf(beside));
console.log("What the three were answered, by status");
console.table(counts);
const isHeld = Object.values(beside).every((times) => quantile(times, 0.95) < P95_MS);
console.log(
  `Target: the normal person's p95 under ${P95_MS} ms throughout. ${isHeld ? "Held." : "NOT held."}`,
);
process.exit(isHeld ? 0 : 1);

function openClient(address = NORMAL.address): SupabaseClient {
  return createClient(server.url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { "x-forwarded-for": address } },
  });
}

async function signUp(by: SupabaseClient, credentials: { email: string; password: string }) {
  const { data, error } = await by.auth.signUp(credentials);
  if (error || !data.user) throw new Error(`nobody could sign up: ${error?.message}`);
  return { user: data.user, session: data.session };
}

async function save(by: SupabaseClient, userId: string, chatId: string, maxEur = 1_000): Promise<void> {
  const filterUrl = `https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_${maxEur}/`;
  const { error } = await by
    .from("filter_settings")
    .upsert({ user_id: userId, filter_url: filterUrl, receiver_ids: [chatId] }, { onConflict: "user_id" });
  if (error) throw new Error(error.message);
}

/** Does each thing about once every two seconds, as a person who is at it does; each is timed apart. */
async function live(seconds: number): Promise<Times> {
  const acts: Record<string, (turn: number) => Promise<unknown>> = {
    page: async () => {
      const answer = await fetch(`${server.url}/`, { headers: { "x-forwarded-for": NORMAL.address } });
      if (!answer.ok) throw new Error(`the page answered ${answer.status}`);
      await answer.text();
    },
    "sign-in": async () => {
      const answer = await openClient().auth.signInWithPassword(NORMAL);
      if (answer.error) throw answer.error;
    },
    "own row": async () => {
      const answer = await client.from("filter_settings").select("*").eq("user_id", user.id);
      if (answer.error) throw new Error(answer.error.message);
    },
    save: (turn) => save(client, user.id, String(person.id), 1_000 + turn),
    "bot answer": () => botAnswer(asker.id),
  };
  const endAt = Date.now() + seconds * 1000;
  const times: Times = {};
  await Promise.all(
    Object.entries(acts).map(async ([name, act]) => {
      const taken: number[] = [];
      times[name] = taken;
      for (let turn = 0; Date.now() < endAt; turn += 1) {
        const startedAt = performance.now();
        // An answer that is no answer is as bad as the longest wait.
        const isDone = await act(turn).then(
          () => true,
          (reason) => void console.error(`${name}: ${reason instanceof Error ? reason.message : reason}`),
        );
        taken.push(isDone ? performance.now() - startedAt : PATIENCE_MS);
        await wait(2_000);
      }
    }),
  );
  return times;
}

/** Asks the bot for its id and waits for the answer. */
async function botAnswer(personId: number): Promise<void> {
  const before = botMessages(personId).length;
  say(telegram, { personId, text: "/id" });
  const endAt = Date.now() + PATIENCE_MS;
  while (botMessages(personId).length === before) {
    if (Date.now() > endAt) throw new Error("the bot did not answer");
    await wait(10);
  }
}

function botMessages(personId: number) {
  const isByBot = ({ from }: { from?: unknown }) =>
    (from as { id?: number } | undefined)?.id === telegram.bot.id;
  return requireChatById(telegram, personId).messages.filter(({ message }) => isByBot(message));
}

function startAttack(): Promise<AttackCounts> {
  const [first] = botMessages(talker.id);
  const order: Attack = {
    seconds: SECONDS,
    url: server.url,
    publishableKey,
    telegramUrl: telegram.url,
    victimEmail: NORMAL.email,
    person: { accessToken: hostile.session?.access_token ?? "" },
    talker: { personId: talker.id, messageId: first?.message.message_id ?? 1 },
  };
  const child = fork("bench/hostile/attackers.ts");
  child.send(order);
  return new Promise((resolve, reject) => {
    child.once("message", (told: AttackCounts) => resolve(told));
    child.once("exit", (code) => reject(new Error(`the attackers ended early with ${code}`)));
  });
}

function tableOf(times: Times) {
  return Object.fromEntries(
    Object.entries(times).map(([name, taken]) => [
      name,
      {
        asked: taken.length,
        p50: milliseconds(quantile(taken, 0.5)),
        p95: milliseconds(quantile(taken, 0.95)),
        max: milliseconds(Math.max(...taken)),
      },
    ]),
  );
}
