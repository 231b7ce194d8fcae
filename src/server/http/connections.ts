// How many connections there may be, in all and from one address. Who opens one too many takes the place of the
// connection that has been idle longest; where all are busy, a few more are let in to ask whether we live, and no more.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  connections: number;
  /** By the address of the socket; unset behind a proxy, from which all of them come. */
  perAddress: number | undefined;
};

type Connection = {
  socket: Socket;
  address: string;
  requests: number;
  idleSince: number;
  isUpgraded: boolean;
  /** Has no place of its own: it is told so, unless it asks whether we live. */
  isExtra: boolean;
};

const MAX_EXTRA = 32;
// What has just been opened or answered gets this long to ask before another takes its place, while there is any choice.
const FRESH_MS = 1_000;
// Some places are always left to those who come and go.
const UPGRADED_SHARE = 0.8;

export class Connections {
  readonly #max: number;
  readonly #maxPerAddress: number;
  readonly #open = new Map<unknown, Connection>();
  readonly #places = new Map<string, number>();
  /** In the order in which they fell idle. */
  readonly #idle = new Set<Connection>();
  #extra = 0;
  #upgraded = 0;

  constructor({ connections, perAddress = Number.POSITIVE_INFINITY }: ConnectionLimits) {
    this.#max = connections;
    this.#maxPerAddress = perAddress;
  }

  add(socket: Socket, address: string): void {
    const isExtra = this.#makePlace(address);
    if (isExtra === undefined) {
      socket.destroy();
      return;
    }
    const connection = { socket, address, requests: 0, idleSince: 0, isUpgraded: false, isExtra };
    this.#open.set(socket, connection);
    this.#count(connection, 1);
    this.#rest(connection);
    socket.once("close", () => this.#remove(connection));
  }

  /** Whether this request is answered, not turned away. Its connection is busy until then. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (!connection) return false;
    connection.requests += 1;
    this.#idle.delete(connection);
    response.once("close", () => {
      connection.requests -= 1;
      if (connection.requests === 0 && this.#open.has(socket)) this.#rest(connection);
    });
    if (connection.isExtra && !this.#isFull(connection.address)) {
      this.#count(connection, -1);
      connection.isExtra = false;
      this.#count(connection, 1);
    }
    return !connection.isExtra;
  }

  /** The same for a connection that stays open. */
  admitUpgrade(socket: unknown): boolean {
    const connection = this.#open.get(socket);
    if (!connection || connection.isExtra || this.#upgraded >= this.#max * UPGRADED_SHARE) return false;
    connection.isUpgraded = true;
    this.#upgraded += 1;
    this.#idle.delete(connection);
    return true;
  }

  /** Whether a newcomer is one too many; `undefined` when there is no place of any kind. */
  #makePlace(address: string): boolean | undefined {
    if (!this.#isFull(address)) return false;
    const among = this.#placesOf(address) >= this.#maxPerAddress ? address : undefined;
    const left = this.#leastNeeded(among, FRESH_MS);
    if (left) return this.#drop(left);
    if (this.#extra < MAX_EXTRA) return true;
    const fresh = this.#leastNeeded(among, 0);
    return fresh ? this.#drop(fresh) : undefined;
  }

  #leastNeeded(address: string | undefined, idleMs: number): Connection | undefined {
    const before = performance.now() - idleMs;
    for (const connection of this.#idle) {
      if (connection.idleSince > before) return undefined;
      if (address === undefined || connection.address === address) return connection;
    }
    return undefined;
  }

  /** Ends a connection, and tells what place it leaves. */
  #drop(connection: Connection): boolean {
    this.#remove(connection);
    connection.socket.destroy();
    return connection.isExtra;
  }

  #rest(connection: Connection): void {
    connection.idleSince = performance.now();
    this.#idle.delete(connection);
    this.#idle.add(connection);
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
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
