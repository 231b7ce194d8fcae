// Two people keep homes at the same moment while senders are killed, checked against the simulated Telegram's ledger.
import type { Sql } from "postgres";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { addAlerts, connectPeople, newListing, openChat } from "./delivery-fixture.ts";
import { pause, spawnSender, until } from "./delivery-processes.ts";

export interface ShortlistKills {
  readonly databaseUrl: string;
  readonly sql: Sql;
  readonly telegram: TelegramSimulator;
  readonly times: number;
  /** Each is announced twice. With three or more, some are still unsent at the kill: a chat gets four messages at once. */
  readonly homesPerKill: number;
}

export interface ShortlistReport {
  readonly homes: number;
  /** Announcements of kept homes, and of homes kept by both, that never arrived. */
  readonly lostKept: number;
  readonly lostBoth: number;
  /** Alerts written twice, and messages that arrived twice because a sender died before it recorded them. */
  readonly writtenTwice: number;
  readonly arrivedTwice: number;
  /** Messages in the shortlist that are not about kept homes. */
  readonly others: readonly string[];
}

/** Short, so that the next sender soon sends what a dead one had leased. */
const LEASE_MS = 4_000;

export async function killDuringShortlist({
  databaseUrl,
  sql,
  telegram,
  times,
  homesPerKill,
}: ShortlistKills): Promise<ShortlistReport> {
  // A group would get twenty messages a minute.
  const shared = openChat(telegram, "private");
  const own = [openChat(telegram, "private"), openChat(telegram, "private")];
  const users = await connectPeople(
    sql,
    own.map((id) => ({
      chats: [
        { id, kind: "private" as const },
        { id: shared, kind: "private" as const },
      ],
    })),
  );
  await sql`update public.chats set receives = 'kept' where chat_id = ${shared}`;
  const keep = (user: string, code: string) =>
    sql`select watch.mark_home(${user}, ${code}, 'kept', now(), null)`;
  let homes = 0;
  let sender = spawnSender(databaseUrl, telegram, LEASE_MS);
  for (let round = 0; round < times; round += 1) {
    await sender.sending;
    const next = spawnSender(databaseUrl, telegram, LEASE_MS);
    const codes = Array.from({ length: homesPerKill }, () => String(70_000 + ++homes));
    await addAlerts(
      sql,
      codes.flatMap((code) =>
        users.map((user) => newListing(user, shared, code, { address: `calle número ${code}.` })),
      ),
    );
    const before = telegram.ledger.accepted.length;
    const pressing = Promise.all(codes.flatMap((code) => users.map((user) => keep(user, code))));
    await until(() => telegram.ledger.accepted.length > before, 20_000);
    await pause(Math.random() * 600);
    sender.child.kill("SIGKILL");
    await Promise.all([sender.exited, pressing]);
    sender = next;
  }
  const isOpen = async () =>
    (await sql`select from watch.alerts where state in ('pending', 'sending') limit 1`).length > 0;
  await until(async () => !(await isOpen()), 120_000 + times * 20_000);
  sender.child.kill("SIGTERM");
  await sender.exited;
  return reportOf({ sql, telegram, shared, homes });
}

async function reportOf({
  sql,
  telegram,
  shared,
  homes,
}: Pick<ShortlistKills, "sql" | "telegram"> & { shared: number; homes: number }): Promise<ShortlistReport> {
  const texts = telegram.ledger.accepted.filter(({ chatId }) => chatId === shared).map(({ text }) => text);
  const kept = texts.filter((text) => text.includes("Kept by") && !text.includes("Kept by both"));
  const both = texts.filter((text) => text.includes("Kept by both"));
  const codesIn = (some: readonly string[]) => new Set(some.map((text) => /número (\d+)\./.exec(text)?.[1]));
  const twice = await sql`
    select from watch.alerts where kind = 'kept' and chat_id = ${shared} group by listing_id, event_key having count(*) > 1`;
  return {
    homes,
    lostKept: homes - codesIn(kept).size,
    lostBoth: homes - codesIn(both).size,
    writtenTwice: twice.length,
    arrivedTwice: kept.length + both.length - codesIn(kept).size - codesIn(both).size,
    others: texts.filter((text) => !text.includes("Kept by")),
  };
}
