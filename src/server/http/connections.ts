// Limits open connections, in total and per address. At the limit a new connection replaces the one that has been idle
// longest. If all are busy, a few additional connections are accepted for health checks.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  connections: number;
  /** By the socket's address; undefined behind a proxy, where all connections have the same one. */
  perAddress: number | undefined;
  /** Called when a connection is closed to make room, or closed at once because there is none. */
  onCut?: (reason: CutReason) => void;
  /** Called with the number of open connections whenever it changes. */
  onCount?: (open: number) => void;
};

export type CutReason = "replaced" | "refused";

type Connection = {
  socket: Socket;
  address: string;
  requests: number;
  idleSince: number;
  isUpgraded: boolean;
  /** Over the limit: its requests are refused, except health checks. */
  isExtra: boolean;
};

const MAX_EXTRA = 32;
// A connection that was just opened or answered is only replaced within this time if there is no other choice.
const FRESH_MS = 1_000;
// The rest is kept for ordinary requests.
const UPGRADED_SHARE = 0.8;

export class Connections {
  readonly #max: number;
  readonly #maxPerAddress: number;
  readonly #open = new Map<unknown, Connection>();
  readonly #places = new Map<string, number>();
  readonly #idle = new Set<Connection>();
  #extra = 0;
  #upgraded = 0;

  readonly #onCut: (reason: CutReason) => void;

  readonly #onCount: (open: number) => void;

  constructor(limits: ConnectionLimits) {
    const { connections, perAddress = Number.POSITIVE_INFINITY } = limits;
    this.#onCut = limits.onCut ?? (() => {});
    this.#onCount = limits.onCount ?? (() => {});
    this.#max = connections;
    this.#maxPerAddress = perAddress;
  }

  add(socket: Socket, address: string): void {
    const isExtra = this.#makeRoom(address);
    if (isExtra === undefined) {
      this.#onCut("refused");
      socket.destroy();
      return;
    }
    const connection = { socket, address, requests: 0, idleSince: 0, isUpgraded: false, isExtra };
    this.#open.set(socket, connection);
    this.#onCount(this.#open.size);
    this.#count(connection, 1);
    this.#markIdle(connection);
    socket.once("close", () => this.#remove(connection));
  }

  /** Whether to answer this request. Its connection is busy until then. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (!connection) return false;
    connection.requests += 1;
    this.#idle.delete(connection);
    response.once("close", () => {
      connection.requests -= 1;
      if (connection.requests === 0 && this.#open.has(socket)) this.#markIdle(connection);
    });
    if (connection.isExtra && !this.#isFull(connection.address)) {
      this.#count(connection, -1);
      connection.isExtra = false;
      this.#count(connection, 1);
    }
    return !connection.isExtra;
  }

  admitUpgrade(socket: unknown): boolean {
    const connection = this.#open.get(socket);
    if (!connection || connection.isExtra || this.#upgraded >= this.#max * UPGRADED_SHARE) return false;
    connection.isUpgraded = true;
    this.#upgraded += 1;
    this.#idle.delete(connection);
    return true;
  }

  /** Whether the new connection is over the limit; undefined if it cannot be accepted at all. */
  #makeRoom(address: string): boolean | undefined {
    if (!this.#isFull(address)) return false;
    const among = this.#placesOf(address) >= this.#maxPerAddress ? address : undefined;
    const left = this.#longestIdle(among, FRESH_MS);
    if (left) return this.#drop(left);
    if (this.#extra < MAX_EXTRA) return true;
    const fresh = this.#longestIdle(among, 0);
    return fresh ? this.#drop(fresh) : undefined;
  }

  #longestIdle(address: string | undefined, idleMs: number): Connection | undefined {
    const before = performance.now() - idleMs;
    for (const connection of this.#idle) {
      if (connection.idleSince > before) return undefined;
      if (address === undefined || connection.address === address) return connection;
    }
    return undefined;
  }

  /** Closes a connection; returns whether it was over the limit. */
  #drop(connection: Connection): boolean {
    this.#remove(connection);
    connection.socket.destroy();
    this.#onCut("replaced");
    return connection.isExtra;
  }

  #markIdle(connection: Connection): void {
    connection.idleSince = performance.now();
    this.#idle.delete(connection);
    this.#idle.add(connection);
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#onCount(this.#open.size);
    this.#idle.delete(connection);
    this.#count(connection, -1);
    if (connection.isUpgraded) this.#upgraded -= 1;
  }

  #count({ address, isExtra }: Connection, change: 1 | -1): void {
    if (isExtra) {
      this.#extra += change;
      return;
    }
    const places = this.#placesOf(address) + change;
    if (places > 0) this.#places.set(address, places);
    else this.#places.delete(address);
  }

  #isFull(address: string): boolean {
    return this.#open.size - this.#extra >= this.#max || this.#placesOf(address) >= this.#maxPerAddress;
  }

  #placesOf(address: string): number {
    return this.#places.get(address) ?? 0;
  }
}
