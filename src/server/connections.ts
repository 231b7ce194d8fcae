// How many connections there may be, in all and from one address. Who opens one too many takes the place of the
// connection that has been idle longest; where none is idle, a few more are let in to ask whether we are alive, and no more.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export type ConnectionLimits = {
  connections: number;
  /** By the address of the socket; unset behind a proxy, from which all of them come. */
  perAddress: number | undefined;
};

export type Connections = {
  add: (socket: Socket) => void;
  /** Whether this request is answered, not turned away; its connection is busy until it is. */
  admit: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The same for a connection that stays open; some are always left to those who come and go. */
  admitUpgrade: (socket: Duplex) => boolean;
};

type Connection = { address: string; requests: number; isUpgraded: boolean; isExtra: boolean };

const MAX_EXTRA = 32;
const UPGRADED_SHARE = 0.8;

export function createConnections(options: {
  limits: ConnectionLimits;
  addressOf: (socket: Socket) => string;
}): Connections {
  const { connections: max, perAddress = Number.POSITIVE_INFINITY } = options.limits;
  const open = new Map<Duplex, Connection>();
  const byAddress = new Map<string, number>();
  // In the order in which they fell idle.
  const idle = new Set<Socket>();
  let upgraded = 0;
  let extra = 0;

  const count = (address: string) => byAddress.get(address) ?? 0;
  const isOver = (address: string) => open.size > max || count(address) > perAddress;

  const dropIdle = (address: string | undefined, newcomer: Socket): boolean => {
    for (const socket of idle) {
      if (socket === newcomer || (address !== undefined && open.get(socket)?.address !== address)) continue;
      remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  };

  const remove = (socket: Socket) => {
    const connection = open.get(socket);
    if (!connection) return;
    open.delete(socket);
    idle.delete(socket);
    const left = count(connection.address) - 1;
    if (left > 0) byAddress.set(connection.address, left);
    else byAddress.delete(connection.address);
    if (connection.isUpgraded) upgraded -= 1;
    if (connection.isExtra) extra -= 1;
  };

  return {
    add: (socket) => {
      const address = options.addressOf(socket);
      const connection = { address, requests: 0, isUpgraded: false, isExtra: false };
      open.set(socket, connection);
      idle.add(socket);
      byAddress.set(address, count(address) + 1);
      socket.once("close", () => remove(socket));
      if (count(address) > perAddress) dropIdle(address, socket);
      if (open.size > max) dropIdle(undefined, socket);
      if (!isOver(address)) return;
      if (extra >= MAX_EXTRA) {
        remove(socket);
        socket.destroy();
        return;
      }
      connection.isExtra = true;
      extra += 1;
    },
    admit: (request, response) => {
      const { socket } = request;
      const connection = open.get(socket);
      if (!connection) return true;
      connection.requests += 1;
      idle.delete(socket);
      response.once("close", () => {
        connection.requests -= 1;
        if (connection.requests === 0 && open.has(socket)) idle.add(socket);
      });
      return !connection.isExtra || !isOver(connection.address);
    },
    admitUpgrade: (socket) => {
      const connection = open.get(socket);
      if (!connection) return true;
      if (connection.isExtra || upgraded >= max * UPGRADED_SHARE) return false;
      connection.isUpgraded = true;
      upgraded += 1;
      idle.delete(socket as Socket);
      return true;
    },
  };
}
