// The reverse proxy in front of the product in the browser tests. For one visitor, identified by IP address, it can
// simulate a server that is down or close the connection, as a browser would experience it on the network.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";

interface Fault {
  address: string;
  method: string | null;
  path: string;
  /** Null closes the connection without a response. */
  status: number | null;
  times: number;
  met: number;
}

const [port = 0, productPort = 0, backendPort = 0] = process.argv.slice(2).map(Number);
// With a third port auth, data and realtime have another origin than the site, as with a hosted Supabase.
const backendOrigin = backendPort > 0 ? `http://localhost:${backendPort}` : undefined;
/** CORS headers of the gateway's own responses: without them a browser reports a network failure. */
const CORS_HEADERS = backendOrigin ? { "access-control-allow-origin": `http://localhost:${port}` } : {};
/** Delays most responses a little and a few much, to find tests and pages that count on a quick line. */
const longestDelayMs = Number(process.env.E2E_DELAY_MS || 0);
const BACKEND = /^\/(?:auth|rest|realtime)\/v1\//;
// One connection per request: the server could close a kept connection just when it is reused.
const agent = new Agent({ keepAlive: false });
const faults: Fault[] = [];

function faultFor({ headers, method, url = "" }: IncomingMessage): Fault | undefined {
  // CORS preflight requests never fail.
  if (method === "OPTIONS") return undefined;
  return faults.find(
    (fault) =>
      fault.address === headers["x-forwarded-for"] &&
      (fault.method ?? method) === method &&
      url.includes(fault.path) &&
      fault.met < fault.times,
  );
}

/** A provider's callback: the product's own auth service uses the site's origin for it, a hosted one its own. */
const PROVIDER_RETURN = "/auth/v1/callback?";

/** Serves the site, without a backend if that has its own origin. */
function answerAtSite(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { url = "" } = incoming;
  if (backendOrigin && BACKEND.test(url) && !url.startsWith(PROVIDER_RETURN)) outgoing.writeHead(404).end();
  else answer(incoming, outgoing);
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.url?.startsWith("/.gateway/")) {
    handleControl(incoming, outgoing);
    return;
  }
  const fault = faultFor(incoming);
  if (fault) {
    fault.met += 1;
    if (fault.status === null) incoming.socket.destroy();
    else
      outgoing
        .writeHead(fault.status, { "content-type": "text/html", ...CORS_HEADERS })
        .end("<h1>Service Unavailable</h1>");
    return;
  }
  const { method, url, headers } = incoming;
  const forwarded = request(
    { host: "127.0.0.1", port: productPort, method, path: url, headers, agent },
    async (response) => {
      if (longestDelayMs > 0) await setTimeout(longestDelayMs * Math.random() ** 6);
      if (backendOrigin) respondWithBackendOrigin(response, incoming, outgoing);
      else {
        outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
        response.pipe(outgoing);
      }
    },
  );
  forwarded.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}

/** Names the backend's origin in the content security policy and in config.json, as a server with SUPABASE_URL does. */
function respondWithBackendOrigin(
  response: IncomingMessage,
  { url }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const headers = { ...response.headers };
  const policy = String(headers["content-security-policy"] ?? "");
  if (policy.includes("connect-src")) {
    const origins = `connect-src ${backendOrigin} ${backendOrigin?.replace("http", "ws")} `;
    headers["content-security-policy"] = policy.replace("connect-src ", origins);
  }
  // The browser tests send this header with every request, to identify visitors.
  const allowed = headers["access-control-allow-headers"];
  if (allowed) headers["access-control-allow-headers"] = `${allowed}, x-forwarded-for`;
  if (url !== "/config.json") {
    outgoing.writeHead(response.statusCode ?? 502, headers);
    response.pipe(outgoing);
    return;
  }
  let body = "";
  response.on("data", (chunk) => {
    body += chunk;
  });
  response.on("end", () => {
    delete headers["content-length"];
    outgoing.writeHead(response.statusCode ?? 502, headers);
    outgoing.end(JSON.stringify({ ...JSON.parse(body), supabaseUrl: backendOrigin }));
  });
}

function handleControl(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const address = new URL(incoming.url ?? "", "http://gateway").pathname.slice("/.gateway/".length);
  const ofVisitor = () => faults.filter((fault) => fault.address === address);
  if (incoming.method === "DELETE") for (const fault of ofVisitor()) faults.splice(faults.indexOf(fault), 1);
  let body = "";
  incoming.on("data", (chunk) => {
    body += chunk;
  });
  incoming.on("end", () => {
    if (incoming.method === "POST") {
      const { method = null, path, status = 503, times = null } = JSON.parse(body);
      faults.push({ address, method, path, status, times: times ?? Number.POSITIVE_INFINITY, met: 0 });
    }
    const met = ofVisitor().reduce((sum, fault) => sum + fault.met, 0);
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ met }));
  });
}

/** Forwards a websocket unchanged. */
function forwardWebSocket(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const upstream = connect(productPort, "127.0.0.1", () => {
    const headers = incoming.rawHeaders.flatMap((part, index, all) =>
      index % 2 === 0 ? [`${part}: ${all[index + 1]}`] : [],
    );
    upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  const end = () => {
    upstream.destroy();
    socket.destroy();
  };
  for (const side of [upstream, socket]) side.on("error", end).on("close", end);
}

createServer(answerAtSite)
  .on("upgrade", (incoming, socket, head) => {
    if (backendOrigin) socket.destroy();
    else forwardWebSocket(incoming, socket, head);
  })
  .listen(port, "localhost");
if (backendOrigin) createServer(answer).on("upgrade", forwardWebSocket).listen(backendPort, "localhost");
