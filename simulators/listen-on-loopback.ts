// All simulators listen through this. It serves programs on this machine and pages of the simulator itself. A page of
// another site, open in the same browser, could send requests too, and with DNS rebinding read the answers. The Host header
// and the browser's fetch metadata reveal such requests.
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export type LoopbackServer = { port: number; stop: () => Promise<void> };

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** `names` are additional host names of the server, for example of a forwarded port. */
export async function listenOnLoopback(
  listener: RequestListener,
  {
    port = 0,
    names = [],
    onUpgrade,
  }: { port?: number; names?: readonly string[]; onUpgrade?: UpgradeListener } = {},
): Promise<LoopbackServer> {
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, hosts);
    if (refusal === undefined) return listener(request, response);
    return response.writeHead(refusal, { connection: "close" }).end();
  });
  if (onUpgrade) {
    server.on("upgrade", (request, socket, head) => {
      if (refusalOf(request, hosts) === undefined) onUpgrade(request, socket, head);
      else socket.destroy();
    });
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  hosts = [...LOOPBACK_NAMES, ...names].map((name) => `${name}:${taken}`);
  return {
    port: taken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refusalOf({ method, headers }: IncomingMessage, hosts: readonly string[]): 421 | 403 | undefined {
  if (!hosts.includes(headers.host?.toLowerCase() ?? "")) return 421;
  const isReading = method === "GET" || method === "HEAD";
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return undefined;
  // Allow links from other pages, but not their forms, scripts and pictures.
  if (site !== undefined) return isReading && headers["sec-fetch-mode"] === "navigate" ? undefined : 403;
  const { origin } = headers;
  return isReading || origin === undefined || hosts.includes(URL.parse(origin)?.host ?? "") ? undefined : 403;
}
