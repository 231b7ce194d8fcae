/**
 * A day of one sender and a simulated Telegram that answers as it should not. Each chat has one kind of answer, met once, for some
 * minutes or all day. In the end every alert has arrived in some form, or is shown as failed, or its chat is lost.
 */
import type { Sql } from "postgres";
import type { ChatKind } from "#core/alert/chat.ts";
import type { Fault } from "#simulators/telegram/faults.ts";
import type { Random } from "../seeded.ts";
import { newListing } from "./delivery-fixture.ts";
import type { DeliveryRun } from "./run-delivery.ts";
import { type Answer, TELEGRAM_ANSWERS } from "./telegram-refusals.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Every wait of the sender ends within this time after the last alert. */
const AFTERWARDS_MS = 30 * HOUR_MS;

/** When and to what a chat's messages the answer comes. */
const WAYS = [
  { says: "once", fault: {} },
  { says: "three times", fault: { times: 3 } },
  { says: "for twenty minutes", fault: { forMs: 20 * MINUTE_MS } },
  { says: "all day", fault: { forMs: 3 * DAY_MS } },
  { says: "all day to its pictures", fault: { forMs: 3 * DAY_MS, method: "sendPhoto" } },
  { says: "all day to its second alert", fault: { forMs: 3 * DAY_MS }, isForSecond: true },
  { says: "every other time", fault: { times: 1 }, isAlternating: true },
] as const;

/** Several answers one after another and beside each other, other ones in each round, with a new sender for each. */
interface MixedWay {
  readonly says: string;
  readonly rounds: readonly (readonly Omit<Fault, "chatId">[])[];
}

export interface Trouble {
  readonly answer: Answer;
  readonly way: (typeof WAYS)[number] | MixedWay;
  readonly kind: ChatKind;
}

const KINDS = ["private", "group", "supergroup"] as const;

/** Every answer in every way, or every n-th of these pairs. */
export function troublesOf(every = 1): Trouble[] {
  const pairs = TELEGRAM_ANSWERS.flatMap((answer) => WAYS.map((way) => ({ answer, way })));
  return pairs
    .map((pair, at): Trouble => ({ ...pair, kind: KINDS[at % KINDS.length] ?? "private" }))
    .filter((_, at) => at % every === 0);
}

const PARTS = ["photo", "reply_markup", "reply_parameters", "link_preview_options"];
const LEAST_MS = 5_000;

/** So many chats, each with answers drawn for it. */
export function mixedTroubles(random: Random, count: number): Trouble[] {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  // Those after which the chat is lost, or the message counts as sent, hide what the others do.
  const mayGoOn = TELEGRAM_ANSWERS.filter(({ ends }) => ends === undefined);
  const span = (): Partial<Fault> => {
    const forMs = LEAST_MS * 2 ** Math.floor(random() * 12);
    return one([{}, { times: 2 }, { times: 5 }, { forMs }, { forMs }]);
  };
  return Array.from({ length: count }, (_, at): Trouble => {
    const answers = Array.from({ length: 1 + Math.floor(random() * 5) }, () => one(mayGoOn));
    const drawn = () => {
      const { fault } = one(answers);
      const where = one([
        {},
        {},
        { method: "sendPhoto" },
        { method: "sendMessage" },
        { parameter: one(PARTS) },
      ]);
      return { ...fault, ...span(), ...where };
    };
    const rounds = Array.from({ length: ALERTS_OF_CHAT }, () =>
      Array.from({ length: Math.floor(random() * 4) }, drawn),
    );
    const says = answers.map((answer) => answer.says).join(" and ");
    return {
      answer: { says, fault: { kind: "reset" } },
      way: { says: "mixed", rounds },
      kind: KINDS[at % KINDS.length] ?? "private",
    };
  });
}

interface Written {
  readonly number: number;
  readonly chat: number;
  readonly trouble: Trouble;
}

const ALERTS_OF_CHAT = 4;

/** Runs the day for these troubles, each in a chat of its own. Returns what must not be. */
export async function runTelegramDay(
  delivery: DeliveryRun,
  sql: Sql,
  troubles: readonly Trouble[],
): Promise<string[]> {
  const chats = [];
  for (const trouble of troubles) chats.push({ trouble, ...(await delivery.person(trouble.kind)) });
  let sender = await delivery.startSender(delivery.channel());
  const written: Written[] = [];
  for (let round = 0; round < ALERTS_OF_CHAT; round += 1) {
    if (round > 0 && troubles.some(({ way }) => "rounds" in way)) {
      await sender.close();
      sender = await delivery.startSender(delivery.channel());
    }
    for (const { trouble, user, chat } of chats) {
      const number = written.length + 1;
      written.push({ number, chat, trouble });
      setFaults(delivery, { trouble, chat, round, number });
      const pictureUrl = round % 2 === 0 ? `https://img.example.com/${number}.jpg` : null;
      await delivery.add(
        newListing(user, chat, String(number), { address: `calle número ${number}.`, pictureUrl }),
      );
    }
    await pass(delivery, sender, round === 0 ? 40 * MINUTE_MS : 6 * HOUR_MS);
  }
  await pass(delivery, sender, AFTERWARDS_MS);
  return judgeDay(delivery, sql, written);
}

function setFaults(
  { telegram }: DeliveryRun,
  { trouble, chat, round, number }: { trouble: Trouble; chat: number; round: number; number: number },
): void {
  const { answer, way } = trouble;
  if ("rounds" in way) {
    for (const fault of way.rounds[round] ?? []) telegram.faults.set({ ...fault, chatId: chat });
    return;
  }
  const fault = { ...answer.fault, chatId: chat, ...way.fault };
  if ("isForSecond" in way) {
    if (round === 1) telegram.faults.set({ ...fault, text: `número ${number}.` });
  } else if ("isAlternating" in way) {
    // The picture is refused in unknown words, and the answer comes to what follows.
    const refused = { kind: "error", errorCode: 400, description: "Bad Request: not now" } as const;
    if (round > 0) return;
    for (let time = 0; time < 40; time += 1) {
      telegram.faults.set({ ...refused, chatId: chat });
      telegram.faults.set(fault);
    }
  } else if (round === 0) telegram.faults.set(fault);
}

/** In steps, as the sender's full scans. */
async function pass(
  delivery: DeliveryRun,
  sender: Parameters<DeliveryRun["run"]>[0],
  ms: number,
): Promise<void> {
  const endMs = delivery.clock.now() + ms;
  while (delivery.clock.now() < endMs) {
    await delivery.run(sender, Math.min(30 * MINUTE_MS, endMs - delivery.clock.now()));
  }
}

interface Row {
  readonly number: string;
  readonly state: string;
  readonly failure: string | null;
  readonly wasAlone: boolean;
  readonly chatState: string | null;
  readonly isHeld: boolean;
}

const MOST_COPIES = 3;

async function judgeDay({ telegram }: DeliveryRun, sql: Sql, written: readonly Written[]): Promise<string[]> {
  const rows = await sql<Row[]>`
    select listing_id as number, alerts.state, failure, failing_since is not null or unanswered > 0 as "wasAlone",
      chats.state as "chatState", alerts.state = 'pending' and held_at is not null as "isHeld"
    from watch.alerts left join public.chats using (user_id, chat_id)`;
  const rowOf = new Map(rows.map((row) => [Number(row.number), row]));
  const arrived = telegram.ledger.accepted.flatMap(({ text }) => numbersIn(text));
  const wrong = written.flatMap(({ number, trouble }) => {
    const copies = arrived.filter((one) => one === number).length;
    const fault = faultOf(rowOf.get(number), { copies, trouble });
    return fault === null ? [] : [`${labelOf(trouble)}: alert ${number} ${fault}`];
  });
  return [...wrong, ...disorderOf(written, arrived, rowOf)];
}

/** A summary has several. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/número (\d+)\./g)].map(([, number]) => Number(number));
}

function faultOf(
  row: Row | undefined,
  { copies, trouble }: { readonly copies: number; readonly trouble: Trouble },
): string | null {
  if (row === undefined) return "has no row";
  if (copies > MOST_COPIES) return `arrived ${copies} times`;
  // What a chat without the right to post misses is summed up when it has it again; until then the page shows the chat.
  if (row.isHeld && row.chatState !== "connected") return null;
  if (row.state === "pending" || row.state === "sending") return `is ${row.state} for ever`;
  if (row.state === "sent" || row.state === "merged")
    return copies > 0 || trouble.answer.ends === "sent" ? null : "counts as sent";
  return row.failure !== null || row.chatState !== "connected" || copies > 0
    ? null
    : `ended as ${row.state} and is shown nowhere`;
}

/** An alert may only come after a later one of its chat if it failed on its own. */
function disorderOf(
  written: readonly Written[],
  arrived: readonly number[],
  rowOf: ReadonlyMap<number, Row>,
): string[] {
  const first = new Map(arrived.map((number, at) => [number, at] as const).toReversed());
  return [...Map.groupBy(written, ({ chat }) => chat).values()].flatMap((ofChat) => {
    const inTurn = ofChat.filter(({ number }) => first.has(number) && !rowOf.get(number)?.wasAlone);
    const at = inTurn.map(({ number }) => first.get(number) ?? 0);
    const isInOrder = at.every((place, index) => index === 0 || place > (at[index - 1] ?? 0));
    const [one] = ofChat;
    return isInOrder || one === undefined ? [] : [`${labelOf(one.trouble)}: out of order`];
  });
}

function labelOf({ answer, way, kind }: Trouble): string {
  return `${answer.says}, ${way.says}, in a ${kind} chat`;
}
