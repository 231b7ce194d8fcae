// A phone's webview: the site in a top window, whose pages find Telegram's proxy when their scripts run. A browser lets nobody
// define it in a page of another origin, so this server forwards to the site and adds a script to its pages.
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../listen-on-loopback.ts";

const SCRIPT = "/simulated-webview.js";

export async function startWebview(siteUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const site = new URL(siteUrl);
  const sockets = new Set<Duplex>();
  const { port, stop } = await listenOnLoopback(answer, { names: [site.hostname], onUpgrade: forwardSocket });
  const url = `http://${site.hostname}:${port}`;

  function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path = "/" } = incoming;
    if (path === SCRIPT) {
      outgoing.writeHead(200, { "content-type": "text/javascript" }).end(PROXY_SCRIPT);
      return;
    }
    if (site.protocol !== "http:") {
      outgoing.writeHead(502).end("The simulated webview shows http sites only");
      return;
    }
    const forwarded = request(site.origin + path, { method, headers: headersFor(incoming) }, (response) => {
      respond(path, response, outgoing).catch(() => outgoing.destroy());
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  }

  async function respond(path: string, response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // The page would lose the window that opened it, which stands for Telegram.
    const { "cross-origin-opener-policy": _, ...headers } = response.headers;
    const isPage = headers["content-type"]?.startsWith("text/html") === true;
    if (!isPage && path !== "/config.json") {
      outgoing.writeHead(response.statusCode ?? 502, headers);
      response.pipe(outgoing);
      return;
    }
    const body = await text(response);
    const shown = isPage
      ? body.replace("<head>", `<head><script src="${SCRIPT}"></script>`)
      : body.replaceAll(site.origin, url);
    delete headers["content-length"];
    outgoing.writeHead(response.statusCode ?? 502, headers).end(shown);
  }

  const headersFor = ({ headers }: IncomingMessage) => ({
    ...headers,
    host: site.host,
    "accept-encoding": "identity",
    ...(headers.origin === undefined ? {} : { origin: site.origin }),
  });

  function forwardSocket(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const lines = Object.entries(headersFor(incoming)).map(([name, value]) => `${name}: ${value}`);
    const upstream = connect(Number(site.port || 80), site.hostname, () => {
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    const end = () => {
      sockets.delete(socket);
      upstream.destroy();
      socket.destroy();
    };
    sockets.add(socket);
    for (const side of [upstream, socket]) side.on("error", end).on("close", end);
  }

  return {
    url,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await stop();
    },
  };
}

/** Runs in the site's pages. Its element goes before the application takes over the document. */
const PROXY_SCRIPT = `document.currentScript.remove();
window.TelegramWebviewProxy = { postEvent: (type, json) => window.opener?.postMessage({ type, json }, "*") };
window.addEventListener("message", ({ source, data }) => {
  if (source === window.opener) window.Telegram?.WebView?.receiveEvent(data.eventType, data.eventData);
});
`;
