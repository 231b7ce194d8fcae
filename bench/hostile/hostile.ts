// A guest, a person with and without realtime, a bot user, and clients that send and hold many bytes attack for a minute.
// Measures how long a normal person waits meanwhile for a page, a sign-in, their own row, a save and an answer of the
// bot, and how much memory the server takes. Arguments: the seconds, then the names of the attackers if not all
// of them (`bytes`: the four with many bytes).
import { fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson, requireChatById } from "#simulators/telegram/phone/create.ts";
import { say } from "#simulators/telegram/phone/speak.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { memoryOf } from "../harness/machine.ts";
import { milliseconds, quantile } from "../harness/measure.ts";
import { startBenchServer } from "../harness/product.ts";
import { insertFinds } from "../web/add-finds.ts";
import type { Attack, AttackCounts, AttackerName } from "./attackers.ts";

const BYTES: AttackerName[] = ["bodies", "trees", "passwords", "exports"];
const ALL: AttackerName[] = ["guest", "person", "realtime", "bot user", ...BYTES];
const [seconds = 60, ...names] = process.argv.slice(2);
const SECONDS = Number(seconds);
const ATTACKERS =
  names.length > 0 ? names.flatMap((name) => (name === "bytes" ? BYTES : (name as AttackerName))) : ALL;
const QUIET_SECONDS = 10;
const P95_MS = 1_000;
/** Of the small read, which takes 7 ms alone. */
const READ = "own row";
const READ_P95_MS = 100;
/** The heap of a busy Node process grows to its working size. A leak of frames grew by 130 MB per second. */
const GROWTH_MB = 150;
const FINDS = 5_000;
const FIGURES = 24_000;
/** An answer that has not arrived by then counts as this long. */
const TIMEOUT_MS = 30_000;
const NORMAL = {
  address: "198.51.100.7",
  email: "normal@example.com",
  password: "a-normal-password-of-hers",
};
/** Has only the sign-ins: the account that reads would reach its limit of sessions and lose the one it reads with. */
const RETURNING = { ...NORMAL, email: "returning@example.com" };

const portal = await startPortalSimulator({ size: 2_000, newPerDay: 0, monthlyRequests: null });
const telegram = await startTelegramSimulator({ control: true });
const server = await startBenchServer(simulatedServices(portal, telegram));
const { publishableKey } = (await (await fetch(`${server.url}/config.json`)).json()) as {
  publishableKey: string;
};

type Times = Record<string, number[]>;

const person = createPerson(telegram, { isStarted: true });
// Separate chats: the other one gets a message for each save, Telegram limits the messages to a chat, and the bot limits
// the questions from one.
const askers = Array.from({ length: 3 }, () => createPerson(telegram, { isStarted: true }));
const talker = createPerson(telegram, { isStarted: true });
const client = openClient();
const { user } = await signUp(client, NORMAL);
await signUp(openClient(), RETURNING);
const hostileClient = openClient("203.0.113.20");
const hostile = await signUp(hostileClient, {
  email: "hostile@example.com",
  password: "a-hostile-password-of-his",
});
await save(hostileClient, hostile.user.id, String(talker.id));
await addRows(hostile.user.id);
await botAnswer(talker.id);

const quiet = await live(QUIET_SECONDS);
const memory = watchMemory();
const ownDelay = monitorEventLoopDelay({ resolution: 5 });
ownDelay.enable();
const attack = startAttack();
const beside = await live(SECONDS);
const counts = await attack;
const megabytes = memory.end();
ownDelay.disable();
await server.stop();
await Promise.all([portal.close(), telegram.close()]);

console.log(`Alone, ${QUIET_SECONDS} s`);
console.table(tableOf(quiet));
console.log(`Beside ${ATTACKERS.join(", ")}, ${SECONDS} s`);
console.table(tableOf(beside));
console.log("Answers to the attackers, by status");
console.table(counts);
// If this is not small, the table shows how busy the machine was, and not how long the server took.
console.log(`This program was itself late by ${milliseconds(ownDelay.percentile(95) / 1e6)} (p95).`);
const [firstMb = 0] = megabytes;
const mostMb = Math.max(...megabytes);
console.log(`Memory of the server: ${firstMb} MB before the attack, at most ${mostMb} MB during it.`);
const isFast = Object.entries(beside).every(
  ([name, times]) => quantile(times, 0.95) < (name === READ ? READ_P95_MS : P95_MS),
);
const isFlat = mostMb - firstMb < GROWTH_MB;
console.log(
  `Target: the p95 of "${READ}" under ${READ_P95_MS} ms, of the rest under ${P95_MS} ms. ${isFast ? "Met." : "MISSED."}`,
);
console.log(`Target: memory grows by less than ${GROWTH_MB} MB. ${isFlat ? "Met." : "MISSED."}`);
process.exit(isFast && isFlat ? 0 : 1);

/** The server's memory in MB, now and every half second. */
function watchMemory() {
  const seen: number[] = [];
  const look = async () => {
    const { serverMb } = await memoryOf(server.pid, server.postmasterPid);
    seen.push(Math.round(serverMb));
  };
  void look();
  const timer = setInterval(() => void look(), 500);
  return {
    end: () => {
      clearInterval(timer);
      return seen;
    },
  };
}

function openClient(address = NORMAL.address): SupabaseClient {
  return createClient(server.url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { "x-forwarded-for": address } },
  });
}

async function signUp(by: SupabaseClient, credentials: { email: string; password: string }) {
  const { data, error } = await by.auth.signUp(credentials);
  if (error || !data.user) throw new Error(`sign-up failed: ${error?.message}`);
  return { user: data.user, session: data.session };
}

async function save(by: SupabaseClient, userId: string, chatId: string, maxEur = 1_000): Promise<void> {
  const filterUrl = `https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_${maxEur}/`;
  const { error } = await by
    .from("filter_settings")
    .upsert({ user_id: userId, filter_url: filterUrl, receiver_ids: [chatId] }, { onConflict: "user_id" });
  if (error) throw new Error(error.message);
}

/** What the hostile person exports, and what expensive filters read. */
async function addRows(userId: string): Promise<void> {
  const sql = postgres(server.databaseUrl, { max: 1 });
  await insertFinds(sql, { userId, count: FINDS });
  await sql`
    insert into public.market_figures (
      place_id, place_name, operation, size_band, seen_count, median_per_m2_eur, low_per_m2_eur, high_per_m2_eur,
      gone_count, cut_percent
    )
    select 'bench-' || n, 'Sant Andreu de Llavaneres del Vallès ' || n, 'rent', 'all', 5, 20, 15, 25, 0, 0
    from generate_series(1, ${FIGURES}::int) as n`;
  await sql.end();
}

/** Does each thing about once every two seconds, as an active person would, and the small read more often; times each. */
async function live(seconds: number): Promise<Times> {
  const acts: Record<string, (turn: number) => Promise<unknown>> = {
    page: async () => {
      const answer = await fetch(`${server.url}/`, { headers: { "x-forwarded-for": NORMAL.address } });
      if (!answer.ok) throw new Error(`the page answered ${answer.status}`);
      await answer.text();
    },
    "sign-in": async () => {
      const answer = await openClient().auth.signInWithPassword(RETURNING);
      if (answer.error) throw answer.error;
    },
    [READ]: async () => {
      const answer = await client.from("filter_settings").select("*").eq("user_id", user.id);
      if (answer.error) throw new Error(answer.error.message);
    },
    save: (turn) => save(client, user.id, String(person.id), 1_000 + turn),
    "bot answer": (turn) => botAnswer(askers[turn % askers.length]?.id ?? 0),
  };
  const endAt = Date.now() + seconds * 1000;
  const times: Times = {};
  await Promise.all(
    Object.entries(acts).map(async ([name, act]) => {
      const taken: number[] = [];
      times[name] = taken;
      for (let turn = 0; Date.now() < endAt; turn += 1) {
        const startedAt = performance.now();
        // A failed request counts as the longest wait.
        const isDone = await act(turn).then(
          () => true,
          (reason) => void console.error(`${name}: ${reason instanceof Error ? reason.message : reason}`),
        );
        taken.push(isDone ? performance.now() - startedAt : TIMEOUT_MS);
        await wait(name === READ ? 200 : 2_000);
      }
    }),
  );
  return times;
}

/** Asks the bot for the chat's id and waits for the answer. */
async function botAnswer(personId: number): Promise<void> {
  const before = botMessages(personId).length;
  say(telegram, { personId, text: "/id" });
  const endAt = Date.now() + TIMEOUT_MS;
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
    attackers: ATTACKERS,
    seconds: SECONDS,
    url: server.url,
    publishableKey,
    telegramUrl: telegram.url,
    victimEmail: NORMAL.email,
    person: { accessToken: hostile.session?.access_token ?? "" },
    talker: { personId: talker.id, messageId: first?.message.message_id ?? 1 },
  };
  const child = fork("bench/hostile/attackers.ts");
  // Attackers have machines of their own; on this one they get what the product and this program leave.
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  child.send(order);
  return new Promise((resolve, reject) => {
    child.once("message", (told: AttackCounts) => resolve(told));
    child.once("exit", (code) => reject(new Error(`the attackers exited with ${code}`)));
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
