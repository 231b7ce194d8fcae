// One sequence's people, with names of their own so that sequences share a database, and what their browsers hold.
import type { AccountsServer } from "./accounts-server.ts";

/** A browser's copy of a session: an access token and the refresh token with this number. */
export type Holder = { browser: number; session: string; token: number };

export type World = {
  server: AccountsServer;
  number: number;
  clock: { offsetMs: number };
  cookies: Map<string, string>[];
  holders: Holder[];
  tokens: Map<string, { access: string; refresh: string[] }>;
  flows: Map<string, { url: string; browser: number; verifier: string; atMs: number }>;
  codes: Map<string, { code: string; verifier: string; browser: number; atMs: number }>;
  /** Launches of the Mini App by the operation that used each first. */
  launches: Map<string, { data: string; person: string; isEarlier: boolean }>;
  /** Tokens of mailed links by the operation that had them mailed. */
  links: Map<string, { kind: "reset" | "sign-up"; token: string }>;
  /** All passwords of a mailbox's accounts, the latest last. */
  passwords: Map<string, string[]>;
  resets: Set<string>;
  count: number;
};

export const PEOPLE: readonly string[] = ["ana", "mal"];
const BROWSERS = 4;

export function createWorld(server: AccountsServer, number: number): World {
  return {
    ...{ server, number, clock: { offsetMs: 0 }, holders: [], count: 0 },
    cookies: Array.from({ length: BROWSERS }, () => new Map()),
    ...{ tokens: new Map(), flows: new Map(), codes: new Map(), launches: new Map(), links: new Map() },
    ...{ passwords: new Map(), resets: new Set() },
  };
}

export const emailOf = ({ number }: World, mailbox: string) => `${mailbox}.${number}@example.com`;

export const telegramOf = ({ number }: World, person: string) =>
  1_000_000_000 + number * PEOPLE.length + PEOPLE.indexOf(person);

export const personOf = (world: World, telegramId: number) =>
  PEOPLE.find((person) => telegramOf(world, person) === telegramId) ?? String(telegramId);

export const addressOf = ({ number }: World, browser: number) =>
  `10.${(number >> 13) & 255}.${(number >> 5) & 255}.${((number & 31) << 3) | browser}`;

export const nextId = (world: World): string => {
  world.count += 1;
  return `o${world.count}`;
};
