// Supabase Realtime's wire protocol over LISTEN/NOTIFY: what `supabase.channel().on("postgres_changes")` needs.
// It knows tables only by the publication, and people only by the tokens handed to `verifyToken`.
// Broadcast, presence and private channels are refused in words.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import postgres from "postgres";
import { WebSocketServer } from "ws";
import { createRateLimiter, type RateLimiter } from "../limits/rate-limit.ts";
import { PEOPLE_LIMITS, REALTIME_CONNECTIONS } from "../people-connections.ts";
import { ChangeListener } from "./change-listener.ts";
import { createCounter } from "./counter.ts";
import { createDelivery, type Delivery } from "./deliver-changes.ts";
import { createEndedSessions } from "./ended-sessions.ts";
import { type FrameVersion, frameVersionOf } from "./frame.ts";
import { guestRole, type VerifyToken } from "./identity.ts";
import { defaultLimits, type RealtimeLimits } from "./limits.ts";
import { failureFields, type Logger } from "./logger.ts";
import type { RealtimeContext } from "./realtime-context.ts";
import { RealtimeSocket } from "./realtime-socket.ts";
import { createSubscriptions } from "./subscriptions.ts";

const realtimePath = "/realtime/v1/websocket";

export type RealtimeServerOptions = {
  databaseUrl: string;
  verifyToken: VerifyToken;
  isApiKeyValid: (apiKey: string) => boolean | Promise<boolean>;
  logger: Logger;
  /** The client's address; by default the peer's, which behind a proxy is the proxy's. */
  addressOf?: (request: IncomingMessage) => string;
  /** Roles a token may name. */
  roles?: readonly string[];
  limits?: Partial<RealtimeLimits>;
  now?: () => number;
};

export type RealtimeServer = {
  /** Resolves once changes are being heard. Earlier joins are refused, and realtime-js tries again. */
  readonly ready: Promise<void>;
  readonly socketCount: number;
  /** False, with the socket untouched, for a path that is not Realtime's. */
  handleUpgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => boolean;
  /** Call before closing the HTTP server, which would wait for these sockets for ever. */
  close: () => Promise<void>;
};

export function createRealtimeServer(options: RealtimeServerOptions): RealtimeServer {
  return new ListeningServer(options);
}

const closingGraceMs = 1000;

class ListeningServer implements RealtimeServer {
  readonly #options: RealtimeServerOptions;
  readonly #context: RealtimeContext;
  readonly #listener: ChangeListener;
  readonly #delivery: Delivery;
  readonly #webSockets: WebSocketServer;
  readonly #sockets = new Set<RealtimeSocket>();
  readonly #socketsOfAddress = createCounter();
  readonly #joinsOfAddress: RateLimiter;
  readonly #sweeper: NodeJS.Timeout;
  #closing: Promise<void> | undefined;

  constructor(options: RealtimeServerOptions) {
    const { databaseUrl, logger, verifyToken, now = Date.now } = options;
    const limits = { ...defaultLimits, ...options.limits };
    const roles = options.roles ?? [guestRole, "authenticated", "service_role"];
    const sql = postgres(databaseUrl, {
      max: REALTIME_CONNECTIONS,
      idle_timeout: 60,
      connection: PEOPLE_LIMITS,
    });
    const subscriptions = createSubscriptions();
    const delivery = createDelivery({ sql, subscriptions, limits, logger, now });
    const endedSessions = createEndedSessions(now);
    const listener = new ChangeListener({
      databaseUrl,
      logger,
      onNotification: delivery.receive,
      onLost: delivery.abandon,
      onSessionEnded: (sessionId) => {
        endedSessions.add(sessionId);
        for (const socket of this.#sockets) socket.endSession(sessionId);
      },
    });
    this.#options = options;
    this.#joinsOfAddress = createRateLimiter({
      perWindow: limits.joinsPerAddressPerMinute,
      windowMs: 60_000,
      burst: limits.joinsPerAddressAtOnce,
    });
    this.#context = {
      sql,
      subscriptions,
      listener,
      socketsOfUser: createCounter(),
      endedSessions,
      verifyToken,
      roles,
      limits,
      logger,
      now,
    };
    this.#listener = listener;
    this.#delivery = delivery;
    this.#webSockets = new WebSocketServer({
      noServer: true,
      maxPayload: limits.frameBytes,
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.#sweeper = setInterval(() => this.#dropIdle(), limits.idleMs / 4);
  }

  get ready(): Promise<void> {
    return this.#listener.ready;
  }

  get socketCount(): number {
    return this.#sockets.size;
  }

  handleUpgrade(request: IncomingMessage, connection: Duplex, head: Buffer): boolean {
    // As it came: a URL would be tidied, and lead here from elsewhere.
    if (request.url?.split("?")[0] !== realtimePath) return false;
    connection.on("error", () => connection.destroy());
    this.#admit(request, connection, head).catch((error: unknown) => {
      this.#context.logger.error(failureFields(error), "realtime failed on an upgrade");
      refuseUpgrade(connection, "500 Internal Server Error");
    });
    return true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #admit(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    const { searchParams } = urlOf(request);
    const header = request.headers.apikey;
    const apiKey = searchParams.get("apikey") ?? (typeof header === "string" ? header : "");
    const version = frameVersionOf(searchParams.get("vsn"));
    const address = (this.#options.addressOf ?? remoteAddressOf)(request);
    const isApiKeyValid = await this.#options.isApiKeyValid(apiKey);
    if (!isApiKeyValid) refuseUpgrade(connection, "401 Unauthorized");
    else if (!version) refuseUpgrade(connection, "403 Forbidden");
    else if (this.#isFull()) refuseUpgrade(connection, "503 Service Unavailable");
    else if (this.#isFullFor(address)) refuseUpgrade(connection, "429 Too Many Requests");
    else this.#upgrade(request, connection, { head, version, apiKey, address });
  }

  #isFull(): boolean {
    return this.#closing !== undefined || this.#sockets.size >= this.#context.limits.sockets;
  }

  #isFullFor(address: string): boolean {
    return this.#socketsOfAddress.count(address) >= this.#context.limits.socketsPerAddress;
  }

  #upgrade(request: IncomingMessage, connection: Duplex, accepted: AcceptedUpgrade): void {
    const { head, version, apiKey, address } = accepted;
    this.#webSockets.handleUpgrade(request, connection, head, (webSocket) => {
      const mayAddressJoin = () => this.#joinsOfAddress.take(address, this.#context.now());
      const socket = new RealtimeSocket(this.#context, { webSocket, version, apiKey, mayAddressJoin });
      this.#sockets.add(socket);
      this.#socketsOfAddress.add(address);
      void socket.closed.then(() => {
        this.#sockets.delete(socket);
        this.#socketsOfAddress.remove(address);
      });
    });
  }

  #dropIdle(): void {
    const { limits, now } = this.#context;
    for (const socket of this.#sockets) {
      if (now() - socket.lastSeenMs >= limits.idleMs) socket.terminate();
    }
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeper);
    const sockets = [...this.#sockets];
    for (const socket of sockets) socket.close(1001, "the server is stopping");
    const grace = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, closingGraceMs);
    await Promise.all([
      this.#listener.close(),
      this.#delivery.idle(),
      ...sockets.map(({ closed }) => closed),
    ]);
    clearTimeout(grace);
    await this.#context.sql.end({ timeout: 2 });
  }
}

type AcceptedUpgrade = { head: Buffer; version: FrameVersion; apiKey: string; address: string };

function refuseUpgrade(connection: Duplex, status: string): void {
  connection.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function urlOf(request: IncomingMessage): URL {
  return URL.parse(request.url ?? "/", "http://localhost") ?? new URL("http://localhost");
}

function remoteAddressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? "unknown";
}
