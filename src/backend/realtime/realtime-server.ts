// Supabase Realtime's wire protocol over LISTEN/NOTIFY, as far as `supabase.channel().on("postgres_changes")` needs it:
// people receive the changes of their own rows in published tables. Tables come from the publication, users from tokens.
// Other filters, broadcast, presence and private channels are refused with a reason.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Sql } from "postgres";
import { WebSocketServer } from "ws";
import { listenFor } from "#platform/database/listen-for.ts";
import { openPool } from "#platform/database/open-pool.ts";
import { createCounter } from "#platform/limits/counter.ts";
import { realtimeRefusal } from "../auth/auth-error.ts";
import { ENDED_SESSIONS_CHANNEL } from "../auth/auth-schema.ts";
import { PEOPLE_LIMITS, REALTIME_CONNECTIONS, REALTIME_SESSION_CONNECTIONS } from "../user-pool.ts";
import { createChangeDelivery } from "./deliver-changes.ts";
import { createOpenChannels } from "./open-channels.ts";
import {
  createRates,
  type RealtimeContext,
  type RealtimeLimits,
  realtimeLimits,
} from "./realtime-context.ts";
import { CHANGES_CHANNEL } from "./realtime-schema.ts";
import { RealtimeSocket } from "./realtime-socket.ts";

const realtimePath = "/realtime/v1/websocket";
// Longer than a session check can take.
const rememberEndedMs = 60_000;

export type RealtimeServerOptions = Pick<
  RealtimeContext,
  "tables" | "verifyToken" | "isApiKey" | "addressOf" | "logger" | "now"
> & {
  /** Logs in with a role that owns nothing, for listening and for reading rows with a subscriber's rights. */
  peopleDatabaseUrl: string;
  /** Logs in with a role that may read sessions. */
  authDatabaseUrl: string;
  createSessionCheck: (sql: Sql) => RealtimeContext["hasSession"];
  limits?: Partial<RealtimeLimits>;
};

export function createRealtimeServer(options: RealtimeServerOptions) {
  const limits = { ...realtimeLimits, ...options.limits };
  const pool = { idleSeconds: 60, settings: PEOPLE_LIMITS };
  const peopleSql = openPool(options.peopleDatabaseUrl, { ...pool, max: REALTIME_CONNECTIONS });
  const sessionsSql = openPool(options.authDatabaseUrl, { ...pool, max: REALTIME_SESSION_CONNECTIONS });
  const context: RealtimeContext = {
    ...options,
    limits,
    rates: createRates(limits),
    peopleSql,
    hasSession: options.createSessionCheck(sessionsSql),
    channels: createOpenChannels(),
    socketsOfUser: createCounter(),
    isListening: false,
    endedAtMs: new Map(),
  };
  const delivery = createChangeDelivery(context);
  const { listener, ready } = listen(context, options.peopleDatabaseUrl, delivery);
  const sockets = createSockets(limits);
  const closeAll = (reason: string, code = 1008) => {
    for (const socket of sockets.clients) socket.close(code, reason);
  };
  const endSockets = async () => {
    const ended = once(sockets, "close");
    sockets.close();
    closeAll("the server is stopping", 1001);
    await ended;
  };
  let ended: Promise<unknown> | undefined;
  return {
    /** Resolves when changes arrive. Joins before are refused, and realtime-js tries again. */
    ready,
    socketCount: () => sockets.clients.size,
    handleUpgrade: createUpgrade(context, sockets),
    closeAll,
    /** Call before closing the HTTP server, which would wait for these sockets forever. */
    close: async (): Promise<void> => {
      ended ??= Promise.all([listener.stop(), delivery.idle(), endSockets()]);
      await ended;
      await Promise.all([peopleSql, sessionsSql].map((sql) => sql.end({ timeout: 2 })));
    },
  };
}

function createSockets({ frameBytes, partsPerFrame }: RealtimeLimits): WebSocketServer {
  const bounds = { maxPayload: frameBytes, maxFragments: partsPerFrame, maxBufferedChunks: partsPerFrame };
  // Pings are answered like other frames, within the same limits.
  const wire = { ...bounds, autoPong: false, perMessageDeflate: false, closeTimeout: 1_000 };
  return new WebSocketServer({ noServer: true, ...wire });
}

function listen(context: RealtimeContext, url: string, delivery: ReturnType<typeof createChangeDelivery>) {
  const { logger } = context;
  const ready = Promise.withResolvers<void>();
  const listener = listenFor({
    url,
    channel: [CHANGES_CHANNEL, ENDED_SESSIONS_CHANNEL],
    onNotification: (payload, channel) => {
      if (channel === CHANGES_CHANNEL) delivery.receive(payload);
      else endSession(context, payload);
    },
    onListening: () => {
      context.isListening = true;
      logger.info({}, "realtime listens for changes");
      ready.resolve();
    },
    onLost: () => {
      context.isListening = false;
      logger.warn({}, "realtime lost the database; connecting again");
      delivery.abandon();
    },
  });
  return { listener, ready: ready.promise };
}

/** Closes a session's channels immediately, although its token has not expired. */
function endSession({ channels, endedAtMs, now }: RealtimeContext, sessionId: string): void {
  for (const [id, atMs] of endedAtMs) if (now() - atMs > rememberEndedMs) endedAtMs.delete(id);
  endedAtMs.set(sessionId, now());
  for (const { identity, close } of channels) {
    if (identity.sessionId === sessionId) close(realtimeRefusal("session_ended"));
  }
}

/** Returns false, with the connection untouched, if the path is not Realtime's. */
function createUpgrade(context: RealtimeContext, sockets: WebSocketServer) {
  const { addressOf, limits, rates, now } = context;
  const socketsOfAddress = createCounter();
  const admit = async (request: IncomingMessage, connection: Duplex, head: Buffer, query = "") => {
    const parameters = new URLSearchParams(query);
    const version = parameters.get("vsn") ?? "1.0.0";
    const address = addressOf(request);
    const isOverLimit = () =>
      socketsOfAddress.count(address) >= limits.socketsPerAddress ||
      !rates.framesOfAddress.take(address, now());
    if (!(await context.isApiKey(parameters.get("apikey") ?? ""))) refuse(connection, "401 Unauthorized");
    else if (version !== "1.0.0" && version !== "2.0.0") refuse(connection, "403 Forbidden");
    else if (sockets.clients.size >= limits.sockets) refuse(connection, "503 Service Unavailable");
    else if (isOverLimit()) refuse(connection, "429 Too Many Requests");
    else {
      sockets.handleUpgrade(request, connection, head, (webSocket) => {
        socketsOfAddress.add(address);
        webSocket.on("close", () => socketsOfAddress.remove(address));
        new RealtimeSocket(context, { webSocket, connection, version, address });
      });
    }
  };
  return (request: IncomingMessage, connection: Duplex, head: Buffer): boolean => {
    // The target as it was sent: parsing it as a URL would normalise other paths to this one.
    const [path, query] = (request.url ?? "").split("?");
    if (path !== realtimePath) return false;
    connection.on("error", () => connection.destroy());
    admit(request, connection, head, query).catch(() => refuse(connection, "503 Service Unavailable"));
    return true;
  };
}

function refuse(connection: Duplex, status: string): void {
  connection.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
