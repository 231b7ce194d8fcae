// The reverse proxy before the product in the browser tests. For one visitor, told apart by address, it can answer
// for a server that is down, or cut the line: over the wire, where a browser meets such things.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

interface Fault {
  address: string;
  method: string | null;
  path: string;
  /** Null: the connection ends without an answer. */
  status: number | null;
  times: number;
  met: number;
}

const [port = 0, productPort = 0, backendPort = 0] = process.argv.slice(2).map(Number);
// With a third port auth, data and realtime are at another origin than the site, as a hosted Supabase is.
const backendOrigin = backendPort > 0 ? `http://localhost:${backendPort}` : undefined;
/** Whose pages may read what the gateway answers itself; a browser would take the rest for a line that is cut. */
const READABLE = backendOrigin ? { "access-control-allow-origin": `http://localhost:${port}` } : {};
const BACKEND = /^\/(?:auth|rest|realtime)\/v1\//;
// A connection each: one that is kept may be closed by the other side just when it is used again.
const agent = new Agent({ keepAlive: false });
const faults: Fault[] = [];

function faultFor({ headers, method, url = "" }: IncomingMessage): Fault | undefined {
  // Whether a page may ask at all is not what fails.
  if (method === "OPTIONS") return undefined;
  return faults.find(
    (fault) =>
      fault.address === headers["x-forwarded-for"] &&
      (fault.method ?? method) === method &&
      url.includes(fault.path) &&
      fault.met < fault.times,
  );
}

/** Where Google sends people back to: the product's own auth gives the site's address for it, a hosted one its own. */
const GOOGLE_RETURN = "/auth/v1/callback?";

/** The site itself, which has no backend where that is elsewhere. */
function answerAtSite(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { url = "" } = incoming;
  if (backendOrigin && BACKEND.test(url) && !url.startsWith(GOOGLE_RETURN)) outgoing.writeHead(404).end();
  else answer(incoming, outgoing);
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.url?.startsWith("/.gateway/")) {
    takeOrder(incoming, outgoing);
    return;
  }
  const fault = faultFor(incoming);
  if (fault) {
    fault.met += 1;
    if (fault.status === null) incoming.socket.destroy();
    else
      outgoing
        .writeHead(fault.status, { "content-type": "text/html", ...READABLE })
        .end("<h1>Service Unavailable</h1>");
    return;
  }
  const { method, url, headers } = incoming;
  const passed = request(
    { host: "127.0.0.1", port: productPort, method, path: url, headers, agent },
    (said) => {
      if (backendOrigin) leadToBackend(said, incoming, outgoing);
      else {
        outgoing.writeHead(said.statusCode ?? 502, said.rawHeaders);
        said.pipe(outgoing);
      }
    },
  );
  passed.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}

/** As a server with SUPABASE_URL says it: in the page's policy, and in what the app asks first. */
function leadToBackend(said: IncomingMessage, { url }: IncomingMessage, outgoing: ServerResponse): void {
  const headers = { ...said.headers };
  const policy = String(headers["content-security-policy"] ?? "");
  if (policy.includes("connect-src")) {
    const places = `connect-src ${backendOrigin} ${backendOrigin?.replace("http", "ws")} `;
    headers["content-security-policy"] = policy.replace("connect-src ", places);
  }
  // The browser tests' own header, by which visitors are told apart, goes along with every request.
  const asked = headers["access-control-allow-headers"];
  if (asked) headers["access-control-allow-headers"] = `${asked}, x-forwarded-for`;
  if (url !== "/config.json") {
    outgoing.writeHead(said.statusCode ?? 502, headers);
    said.pipe(outgoing);
    return;
  }
  let body = "";
  said.on("data", (chunk) => {
    body += chunk;
  });
  said.on("end", () => {
    delete headers["content-length"];
    outgoing.writeHead(said.statusCode ?? 502, headers);
    outgoing.end(JSON.stringify({ ...JSON.parse(body), supabaseUrl: backendOrigin }));
  });
}

function takeOrder(incoming: IncomingMessage, outgoing: ServerResponse): void {
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

/** A websocket passes as it is. */
function passOn(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const line = connect(productPort, "127.0.0.1", () => {
    const headers = incoming.rawHeaders.flatMap((part, index, all) =>
      index % 2 === 0 ? [`${part}: ${all[index + 1]}`] : [],
    );
    line.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
    line.write(head);
    line.pipe(socket).pipe(line);
  });
  const end = () => {
    line.destroy();
    socket.destroy();
  };
  for (const side of [line, socket]) side.on("error", end).on("close", end);
}

createServer(answerAtSite)
  .on("upgrade", (incoming, socket, head) => {
    if (backendOrigin) socket.destroy();
    else passOn(incoming, socket, head);
  })
  .listen(port, "localhost");
if (backendOrigin) createServer(answer).on("upgrade", passOn).listen(backendPort, "localhost");
