// The HTTP server: connection limits, timeouts and routing of each request.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { clientAddress } from "#platform/limits/client-address.ts";
import { refusedPort } from "../start/refused-port.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { createHttpApp, type HttpOptions } from "./http-app.ts";
import { hasOneHost, resolveTarget, targetOf } from "./request-target.ts";
import { commonHeaders, frameOptions } from "./security-headers.ts";

const REALTIME_PATH = "/realtime/v1/websocket";

const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  // Node looks for slow requests every 30 s by default.
  connectionsCheckingInterval: 3_000,
};
// A connection without reads or writes for this long is closed.
const SILENCE_MS = 60_000;
const MAX_REQUESTS_PER_CONNECTION = 1_000;
// Time for responses in progress at shutdown.
const DRAIN_MS = 2_000;

export function createHttpServer(options: HttpOptions & { connectionLimits: ConnectionLimits }): Server {
  const { backend } = options;
  const answer = getRequestListener(createHttpApp(options).fetch);
  const connections = new Connections(options.connectionLimits);
  const refuse = (response: ServerResponse, status: 400 | 503) => {
    const headers = { ...commonHeaders(options.siteUrl, options.httpsOnly), ...frameOptions() };
    response.writeHead(status, { ...headers, connection: "close" });
    response.end();
  };
  const server = createServer(
    { ...TIMES, shouldUpgradeCallback: (request) => backend !== undefined && isForRealtime(request) },
    (request, response) => {
      const { path } = targetOf(request);
      const isAdmitted = connections.admit(request, response);
      if (!hasOneHost(request)) refuse(response, 400);
      else if (!isAdmitted && path !== "/livez") refuse(response, 503);
      else void answer(request, response);
    },
  );
  server.timeout = SILENCE_MS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  server.on("connection", (socket) => {
    connections.add(socket, clientAddress({ socketAddress: socket.remoteAddress }));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (connections.admitUpgrade(socket)) {
      backend?.handleUpgrade(request, socket, head).catch(() => socket.destroy());
    } else socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  return server;
}

/** Other upgrades are answered like ordinary requests. */
function isForRealtime(request: IncomingMessage): boolean {
  return (
    resolveTarget(request).path === REALTIME_PATH &&
    request.headers.upgrade?.toLowerCase() === "websocket" &&
    hasOneHost(request)
  );
}

/** Starts listening and returns the port, which matters if the configured one is 0. */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string },
): Promise<number> {
  server.listen({ port, host });
  try {
    await once(server, "listening");
  } catch (error) {
    throw refusedPort(error, { host, port, setting: "PORT" });
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

/** Stops accepting connections, lets responses finish, then closes the rest. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(cut);
}
