// Supabase Realtime's wire protocol over LISTEN/NOTIFY, as far as `supabase.channel().on("postgres_changes")` needs it:
// people are told of their own rows in published tables. It knows tables by the publication, and people by their tokens.
// Other filters, broadcast, presence and private channels are refused in words.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import postgres from "postgres";
import { WebSocketServer } from "ws";
import { listenFor } from "#store/connection/listen-for.ts";
import { ENDED_SESSIONS_CHANNEL } from "../auth/auth-schema.ts";
import { createCounter } from "../limits/counter.ts";
import { createRateLimiter } from "../limits/rate-limit.ts";
import { PEOPLE_LIMITS, REALTIME_CONNECTIONS } from "../people-connections.ts";
import { createDelivery } from "./deliver-changes.ts";
import { frameVersionOf } from "./frame.ts";
import { type RealtimeContext, realtimeLimits, sessionEnded } from "./realtime-context.ts";
import { CHANGES_CHANNEL } from "./realtime-schema.ts";
import { serveSocket } from "./realtime-socket.ts";

const realtimePath = "/realtime/v1/websocket";
const closingGraceMs = 1000;
// A session may end while a join waits to hear whether it lives, before there is a channel to close: those that ended are
// remembered for longer than such a question may take.
const rememberedMs = 60_000;

export type RealtimeServerOptions = Pick<
  RealtimeContext,
  "tables" | "checkToken" | "apiKey" | "logger" | "now"
> & {
  databaseUrl: string;
  addressOf: (request: IncomingMessage) => string;
  limits?: Partial<RealtimeContext["limits"]>;
};

export type RealtimeServer = {
  /** Resolves once changes are being heard of. Earlier joins are refused, and realtime-js tries again. */
  ready: Promise<void>;
  socketCount: () => number;
  /** False, with the connection untouched, for a path that is not Realtime's. */
  handleUpgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => boolean;
  /** Call before closing the HTTP server, which would wait for these sockets for ever. */
  close: () => Promise<void>;
};

export function createRealtimeServer(options: RealtimeServerOptions): RealtimeServer {
  const { databaseUrl, now } = options;
  const limits = { ...realtimeLimits, ...options.limits };
  const endedAtMs = new Map<string | undefined, number>();
  const context: RealtimeContext = {
    ...options,
    limits,
    channels: new Set(),
    isListening: false,
    hasEnded: (sessionId) => endedAtMs.has(sessionId),
  };
  const people = { max: REALTIME_CONNECTIONS, idle_timeout: 60, connection: PEOPLE_LIMITS };
  const sql = postgres(databaseUrl, people);
  const delivery = createDelivery(context, sql);
  const { ready, stop } = listen(databaseUrl, context, {
    onChange: delivery.receive,
    onLost: delivery.abandon,
    // At once: whoever was signed out hears nothing more, though their token has not expired.
    onSessionEnded: (sessionId) => {
      endedAtMs.set(sessionId, now());
      for (const { identity, close } of context.channels)
        if (identity.sessionId === sessionId) close(sessionEnded);
    },
  });
  const sweeper = setInterval(() => {
    for (const { identity, close } of context.channels)
      if (identity.expiresAtMs <= now()) close("Token has expired");
    for (const [id, atMs] of endedAtMs) if (now() - atMs > rememberedMs) endedAtMs.delete(id);
  }, limits.sweepMs);
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
  });
  const admit = createAdmission(context, webSockets, options.addressOf);
  let closing: Promise<unknown> | undefined;
  return {
    ready,
    socketCount: () => webSockets.clients.size,
    handleUpgrade: (request, connection, head) => {
      // As it came: a URL would be tidied, and lead here from elsewhere.
      if (request.url?.split("?")[0] !== realtimePath) return false;
      connection.on("error", () => connection.destroy());
      const refusal = admit(request, connection, head);
      if (refusal) connection.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return true;
    },
    close: async () => {
      clearInterval(sweeper);
      closing ??= Promise.all([stop(), delivery.idle(), endAll(webSockets)]).then(() =>
        sql.end({ timeout: 2 }),
      );
      await closing;
    },
  };
}

type Heard = {
  onChange: (notification: string) => void;
  onSessionEnded: (sessionId: string) => void;
  onLost: () => void;
};

function listen(url: string, context: RealtimeContext, heard: Heard) {
  const ready = Promise.withResolvers<void>();
  const { stop } = listenFor({
    url,
    channel: [CHANGES_CHANNEL, ENDED_SESSIONS_CHANNEL],
    onNotification: (payload, channel) => {
      if (channel === CHANGES_CHANNEL) heard.onChange(payload);
      else heard.onSessionEnded(payload);
    },
    onListening: () => {
      context.isListening = true;
      context.logger.info({}, "realtime listens for changes");
      ready.resolve();
    },
    onLost: () => {
      context.isListening = false;
      context.logger.warn({}, "realtime lost the database; connecting again");
      heard.onLost();
    },
  });
  return { ready: ready.promise, stop };
}

/** Upgrades whom the limits allow, or answers the status of the refusal. */
function createAdmission(
  context: RealtimeContext,
  webSockets: WebSocketServer,
  addressOf: RealtimeServerOptions["addressOf"],
) {
  const { apiKey, limits, now } = context;
  const socketsOf = createCounter();
  const joinsOf = createRateLimiter({
    perWindow: limits.joinsPerAddressPerMinute,
    windowMs: 60_000,
    burst: limits.joinsPerAddressAtOnce,
  });
  return (request: IncomingMessage, connection: Duplex, head: Buffer): string | undefined => {
    const query = new URLSearchParams(request.url?.split("?")[1]);
    const version = frameVersionOf(query.get("vsn"));
    const address = addressOf(request);
    if (query.get("apikey") !== apiKey) return "401 Unauthorized";
    if (!version) return "403 Forbidden";
    if (webSockets.clients.size >= limits.sockets) return "503 Service Unavailable";
    if (socketsOf.count(address) >= limits.socketsPerAddress) return "429 Too Many Requests";
    webSockets.handleUpgrade(request, connection, head, (webSocket) => {
      socketsOf.add(address);
      webSocket.on("close", () => socketsOf.remove(address));
      serveSocket(context, { webSocket, version, mayJoin: () => joinsOf.take(address, now()) });
    });
    return undefined;
  };
}

async function endAll(webSockets: WebSocketServer): Promise<void> {
  const ended = once(webSockets, "close");
  webSockets.close();
  for (const socket of webSockets.clients) socket.close(1001, "the server is stopping");
  const grace = setTimeout(() => {
    for (const socket of webSockets.clients) socket.terminate();
  }, closingGraceMs);
  await ended;
  clearTimeout(grace);
}
