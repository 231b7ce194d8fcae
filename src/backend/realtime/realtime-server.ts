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
import { realtimeRefusal } from "../auth/refusals.ts";
import { createCounter } from "../limits/counter.ts";
import { createRateLimiter } from "../limits/rate-limit.ts";
import { PEOPLE_LIMITS, REALTIME_CONNECTIONS } from "../people-connections.ts";
import { createDelivery } from "./deliver-changes.ts";
import { createOpenChannels } from "./open-channels.ts";
import { type RealtimeContext, realtimeLimits } from "./realtime-context.ts";
import { CHANGES_CHANNEL } from "./realtime-schema.ts";
import { RealtimeSocket } from "./realtime-socket.ts";

const realtimePath = "/realtime/v1/websocket";
// Longer than a check of a session may take.
const rememberedMs = 60_000;

type Own = "sql" | "channels" | "isListening" | "endedAtMs" | "limits";

export type RealtimeServerOptions = Omit<RealtimeContext, Own> & {
  databaseUrl: string;
  limits?: Partial<RealtimeContext["limits"]>;
};

export type RealtimeServer = ReturnType<typeof createRealtimeServer>;

export function createRealtimeServer({ databaseUrl, ...options }: RealtimeServerOptions) {
  const context: RealtimeContext = {
    ...options,
    limits: { ...realtimeLimits, ...options.limits },
    sql: postgres(databaseUrl, { max: REALTIME_CONNECTIONS, idle_timeout: 60, connection: PEOPLE_LIMITS }),
    channels: createOpenChannels(),
    isListening: false,
    endedAtMs: new Map(),
  };
  const { logger, limits, sql } = context;
  const delivery = createDelivery(context);
  const ready = Promise.withResolvers<void>();
  const listener = listenFor({
    url: databaseUrl,
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
  const wire = { maxPayload: limits.frameBytes, perMessageDeflate: false, closeTimeout: 1_000 };
  const sockets = new WebSocketServer({ noServer: true, ...wire });
  let ended: Promise<unknown> | undefined;
  return {
    /** Once changes are being heard of. Earlier joins are refused, and realtime-js tries again. */
    ready: ready.promise,
    socketCount: () => sockets.clients.size,
    handleUpgrade: createUpgrade(context, sockets),
    /** Call before closing the HTTP server, which would wait for these sockets for ever. */
    close: async (): Promise<void> => {
      ended ??= Promise.all([listener.stop(), delivery.idle(), endAll(sockets)]);
      await ended;
      await sql.end({ timeout: 2 });
    },
  };
}

/** At once: whoever was signed out hears nothing more, though their token has not expired. */
function endSession({ channels, endedAtMs, now }: RealtimeContext, sessionId: string): void {
  for (const [id, atMs] of endedAtMs) if (now() - atMs > rememberedMs) endedAtMs.delete(id);
  endedAtMs.set(sessionId, now());
  for (const { identity, close } of channels) {
    if (identity.sessionId === sessionId) close(realtimeRefusal("session_ended"));
  }
}

/** False, with the connection untouched, for a path that is not Realtime's. */
function createUpgrade(context: RealtimeContext, sockets: WebSocketServer) {
  const { apiKey, addressOf, limits, now } = context;
  const socketsOf = createCounter();
  const joinsOf = createRateLimiter({ ...limits.joinsPerAddress, windowMs: 60_000 });
  return (request: IncomingMessage, connection: Duplex, head: Buffer): boolean => {
    // As it came: a URL would be tidied, and lead here from elsewhere.
    const [path, query] = (request.url ?? "").split("?");
    if (path !== realtimePath) return false;
    const parameters = new URLSearchParams(query);
    const version = parameters.get("vsn") ?? "1.0.0";
    const address = addressOf(request);
    connection.on("error", () => connection.destroy());
    if (parameters.get("apikey") !== apiKey) refuse(connection, "401 Unauthorized");
    else if (version !== "1.0.0" && version !== "2.0.0") refuse(connection, "403 Forbidden");
    else if (sockets.clients.size >= limits.sockets) refuse(connection, "503 Service Unavailable");
    else if (socketsOf.count(address) >= limits.socketsPerAddress)
      refuse(connection, "429 Too Many Requests");
    else {
      sockets.handleUpgrade(request, connection, head, (webSocket) => {
        socketsOf.add(address);
        webSocket.on("close", () => socketsOf.remove(address));
        new RealtimeSocket(context, { webSocket, version, mayJoin: () => joinsOf.take(address, now()) });
      });
    }
    return true;
  };
}

function refuse(connection: Duplex, status: string): void {
  connection.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function endAll(sockets: WebSocketServer): Promise<void> {
  const ended = once(sockets, "close");
  sockets.close();
  for (const socket of sockets.clients) socket.close(1001, "the server is stopping");
  await ended;
}
