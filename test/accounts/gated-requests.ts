// Pauses a request at its awaits, without hooks in the product: the writes of a request to the database and to a sign-in
// provider are counted, and from a chosen one on they are kept until the test lets the request go on. Which request writes
// is known from its asynchronous context.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { passwordHashes } from "#backend/auth/passwords/hash-threads.ts";

/** One request in progress, or several of one person that follow each other. */
export type Ticket = {
  /** Added to the server's time. */
  clockMs: () => number;
  /** Those that the request has sent. */
  mails: { kind: string; to: string; tokenHash: string }[];
  /** Passes one pause point; resolves at once unless the ticket is held here. */
  pass: (write: () => void) => void;
};

export type HeldTicket = Ticket & {
  /** Resolves when the request waits at its pause point. */
  held: Promise<void>;
  isStopped: () => boolean;
  /** Continues, and passes all further pause points. */
  release: () => void;
};

const tickets = new AsyncLocalStorage<Ticket>();

export const withTicket = <Result>(ticket: Ticket, run: () => Promise<Result>): Promise<Result> =>
  tickets.run(ticket, run);

export const currentTicket = (): Ticket | undefined => tickets.getStore();

/** Holds at the n-th write, counted from 1; never with 0. */
export function createTicket(parts: { holdAt?: number; clockMs?: () => number } = {}): HeldTicket {
  const { holdAt = 0, clockMs = () => 0 } = parts;
  const held = Promise.withResolvers<void>();
  const kept: (() => void)[] = [];
  let [count, isReleased] = [0, holdAt === 0];
  return {
    ...{ clockMs, mails: [] },
    held: held.promise,
    isStopped: () => kept.length > 0,
    pass: (write) => {
      if (isReleased) return write();
      count += 1;
      if (count < holdAt) return write();
      kept.push(write);
      held.resolve();
    },
    release: () => {
      isReleased = true;
      for (const write of kept.splice(0)) write();
    },
  };
}

/**
 * Replaces, until the returned function is called: the writes to the database on this port, requests to the providers, and
 * the cost of password hashes, which would be nearly all of the time of a sequence.
 */
export function gateWrites(options: { port: number; answerProvider: typeof fetch }): () => void {
  const original = { write: Socket.prototype.write, fetch: globalThis.fetch };
  const { hash, compare } = passwordHashes;
  Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
    const write = () => Reflect.apply(original.write, this, args);
    const ticket = currentTicket();
    if (!ticket || this.remotePort !== options.port) return write();
    ticket.pass(() => void write());
    return true;
  } as typeof original.write;
  globalThis.fetch = async (...args) => {
    const passed = Promise.withResolvers<void>();
    (currentTicket()?.pass ?? ((go) => go()))(passed.resolve);
    await passed.promise;
    return options.answerProvider(...args);
  };
  Object.assign(passwordHashes, {
    hash: async (password: string) => cheapHash(password, randomUUID()),
    compare: async (password: string, hashed: string) =>
      hashed === cheapHash(password, hashed.split(" ")[1] ?? ""),
  });
  return () => {
    Socket.prototype.write = original.write;
    globalThis.fetch = original.fetch;
    Object.assign(passwordHashes, { hash, compare });
  };
}

/** Differs each time, as a hash of bcrypt does. The one that stands for unknown accounts is of bcrypt and equals none. */
const cheapHash = (password: string, salt: string) =>
  `cheap ${salt} ${createHash("sha256").update(`${salt} ${password}`).digest("hex")}`;
