// The HTTP routes of the product. Each part is created elsewhere and passed in.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { BACKEND_PREFIXES, type Backend } from "#backend/backend.ts";
import { MAP_TILES_PATH, TILE_ARCHIVE_PATH } from "#core/map/map-tiles.ts";
import { clientAddress } from "#platform/limits/client-address.ts";
import type { Config } from "../config.ts";
import type { ServerLogger } from "../log.ts";
import type { MapTilesServer } from "../map-tiles/map-tiles.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { PublicConfig } from "../public-config.ts";
import { isRole } from "../readiness.ts";
import type { Workers } from "../workers.ts";
import { compressed } from "./compressed.ts";
import { createRefusalDelay } from "./refusal-delay.ts";
import { createRequestLog } from "./request-log.ts";
import { targetOf } from "./request-target.ts";
import { commonHeaders, frameOptions, type HttpsOnly, LOADS_NOTHING } from "./security-headers.ts";
import { createShareAnswer, type PrepareShare, SHARE_PATH } from "./share-home.ts";
import { createStopMailsAnswer, STOP_MAILS_PATHS, type SwitchOff } from "./stop-mails.ts";
import type { WebApp } from "./web-app.ts";
import { serveNotFound, serveWeb } from "./web-app.ts";

export type HttpOptions = {
  siteUrl: string;
  httpsOnly: HttpsOnly;
  /** Where weaknesses are reported: an email address or the address of a page. */
  securityContact: string;
  trustedProxies: number;
  /** Refusals per minute that an address gets without delay. */
  freeRefusals: number;
  /** How long a client may take nothing of its answer. */
  unreadMs?: number;
  publicConfig: () => Promise<PublicConfig>;
  backend: Backend | undefined;
  metrics: Metrics | undefined;
  webhook: Workers["webhook"];
  stopMails: SwitchOff;
  /** Absent where the Mini App is not offered. */
  prepareShare?: PrepareShare | undefined;
  web: WebApp | undefined;
  mapTiles?: MapTilesServer | undefined;
  logger: ServerLogger;
  /** For the given role, or for those of this process. */
  findFailing: (role?: Config["roles"][number]) => Promise<string[]>;
};

type Env = { Bindings: HttpBindings; Variables: { requestId: string } };

/** The backend bounds the bodies of its own routes, and the webhook its. */
/** A client that takes nothing of its answer for this long is cut off. */
const UNREAD_MS = 15_000;

export function createHttpApp(options: HttpOptions): Hono<Env> {
  const { backend, metrics, webhook, web, publicConfig, logger } = options;
  const app = new Hono<Env>();
  app.use(
    logRequest(logger),
    warnOfUnknownProxy(options),
    delayRefusals(options),
    addHeaders(commonHeaders(options.siteUrl, options.httpsOnly)),
    limitWriting(options.unreadMs ?? UNREAD_MS),
    endHalfReadConnections,
    refuseOtherSpellings(web),
  );
  app.onError((error, context) => {
    const { incoming } = context.env;
    const hasHungUp = incoming.destroyed && !incoming.complete;
    logger[hasHungUp ? "info" : "error"]({ err: error, requestId: context.var.requestId }, "request failed");
    return context.json(
      { code: "unexpected_failure", message: "Something went wrong", requestId: context.var.requestId },
      500,
    );
  });
  app.get("/livez", (context) => context.json({ status: "alive" }, 200, NO_STORE));
  app.get("/readyz", async (context) => {
    const role = context.req.query("role");
    if (role !== undefined && !isRole(role)) return context.json({ status: "unknown role" }, 400, NO_STORE);
    const failing = await options.findFailing(role);
    const isReady = failing.length === 0;
    const answer = isReady ? { status: "ready" } : { status: "not ready", failing };
    return context.json(answer, isReady ? 200 : 503, NO_STORE);
  });
  if (webhook) app.post(webhook.path, (context) => webhook.answer(context.req.raw));
  if (web) {
    const stopMails = createStopMailsAnswer(options.stopMails, Date.now);
    for (const path of STOP_MAILS_PATHS) {
      app.post(path, (context) =>
        stopMails(context.req.url, addressOfRequest(context.env.incoming, options.trustedProxies)),
      );
    }
  }
  if (backend && options.prepareShare) {
    const share = createShareAnswer(options.prepareShare, backend.bearerOf, Date.now);
    app.post(SHARE_PATH, (context) => share(context.req.raw));
  }
  if (metrics) app.get("/metrics", (context) => metrics.answer(context.req.header("authorization")));
  if (backend) {
    for (const prefix of BACKEND_PREFIXES) {
      app.all(`${prefix}*`, async (context) => {
        const { incoming, outgoing } = context.env;
        const address = addressOfRequest(incoming, options.trustedProxies);
        const answer = await backend.fetch(context.req.raw, address, writingOf(outgoing));
        // Functions return whole pages of data; rows are small.
        const isOfFunction = context.req.path.startsWith("/rest/v1/rpc/");
        return isOfFunction ? compressed(answer, context.req.header("accept-encoding")) : answer;
      });
    }
  }
  if (web) {
    app.get("/config.json", async (context) =>
      context.json(await publicConfig(), 200, { "cache-control": "no-cache" }),
    );
    app.get("/.well-known/security.txt", (context) =>
      context.text(securityTxt(options, Date.now()), 200, NO_STORE),
    );
    if (options.mapTiles) serveMapTiles(app, options.mapTiles, options.trustedProxies);
    app.on(["GET", "HEAD"], "*", (context) => serveWeb(context, web));
    app.all("*", (context) => (web.find(context.req.path) ? methodNotAllowed(context) : notThere(context)));
  } else app.all("*", notThere);
  return app;
}

const SECURITY_TXT_VALID_MS = 365 * 86_400_000;

/** https://www.rfc-editor.org/rfc/rfc9116 */
function securityTxt({ siteUrl, securityContact }: HttpOptions, nowMs: number): string {
  const contact = securityContact.includes("://") ? securityContact : `mailto:${securityContact}`;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(nowMs + SECURITY_TXT_VALID_MS).toISOString()}`,
    "Preferred-Languages: en, es",
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}

function serveMapTiles(app: Hono<Env>, mapTiles: MapTilesServer, trustedProxies: number): void {
  app.get(MAP_TILES_PATH, () => mapTiles.describe());
  app.get(TILE_ARCHIVE_PATH, (context) =>
    mapTiles.serveRange({
      range: context.req.header("range"),
      isHead: context.req.method === "HEAD",
      address: addressOfRequest(context.env.incoming, trustedProxies),
    }),
  );
}

const methodNotAllowed = (context: Context) =>
  context.json({ code: "method_not_allowed", message: "Method not allowed" }, 405, { allow: "GET, HEAD" });

const notThere = (context: Context) =>
  context.json({ code: "not_found", message: "There is nothing here" }, 404);

/** Refuses a path in any but its canonical spelling, for browsers with the 404 page. */
function refuseOtherSpellings(web: WebApp | undefined): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { path, askedPath } = targetOf(context.env.incoming);
    if (path !== undefined) return next();
    const isReading = context.req.method === "GET" || context.req.method === "HEAD";
    return isReading && web ? serveNotFound(context, web, askedPath) : notThere(context);
  };
}

const NO_STORE = { "cache-control": "no-store" };

export function addressOfRequest(request: IncomingMessage, trustedProxies: number): string {
  const forwardedFor = request.headers["x-forwarded-for"];
  return clientAddress({
    socketAddress: request.socket.remoteAddress,
    forwardedFor: Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
    trustedProxies,
  });
}

/** Monitoring requests these every few seconds, so only failures are logged. */
const PROBES = new Set(["/livez", "/readyz", "/metrics"]);

function logRequest(logger: ServerLogger): MiddlewareHandler<Env> {
  const log = createRequestLog(logger, Date.now);
  return async (context, next) => {
    const asked = context.req.header("x-request-id") ?? "";
    const requestId = /^[\w-]{8,64}$/.test(asked) ? asked : randomUUID();
    context.set("requestId", requestId);
    const startedAt = performance.now();
    await next();
    context.res.headers.set("x-request-id", requestId);
    const { status } = context.res;
    // The path as received, without the query: queries contain tokens.
    const { askedPath, path } = targetOf(context.env.incoming);
    const durationMs = Math.round(performance.now() - startedAt);
    const entry = { requestId, method: context.req.method, path: askedPath, status, durationMs };
    const isMinor = path?.startsWith("/assets/") || (status < 400 && PROBES.has(askedPath));
    if (isMinor) logger.debug(entry, "request");
    else log(entry);
  };
}

/** Logged once: behind a proxy that is not counted, all people share one address and its limits. */
function warnOfUnknownProxy({ trustedProxies, logger }: HttpOptions): MiddlewareHandler<Env> {
  let isSilent = trustedProxies > 0;
  return async (context, next) => {
    if (!isSilent && context.req.header("x-forwarded-for") !== undefined) {
      isSilent = true;
      logger.warn({}, "X-Forwarded-For is ignored: set TRUSTED_PROXIES if this server is behind a proxy");
    }
    await next();
  };
}

/** Resolves when the answer has been written, or its reader is gone. */
function writingOf(outgoing: HttpBindings["outgoing"]): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) resolve();
    else outgoing.once("close", resolve);
  });
}

/** From here on silence means that the client does not read. For the next request Node restores the server's limit. */
function limitWriting(unreadMs: number): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    context.env.incoming.socket.setTimeout(unreadMs);
  };
}

/** The rest of such a body would stand before the next request. Node throws away only a body that nobody began to read. */
const endHalfReadConnections: MiddlewareHandler<Env> = async (context, next) => {
  await next();
  const { incoming } = context.env;
  if (incoming.readableDidRead && !incoming.readableEnded) context.res.headers.set("connection", "close");
};

function delayRefusals({ freeRefusals, trustedProxies }: HttpOptions): MiddlewareHandler<Env> {
  const delay = createRefusalDelay({ freePerMinute: freeRefusals, now: Date.now, wait });
  return async (context, next) => {
    await next();
    const { status } = context.res;
    if (status < 400 || status >= 500) return;
    const mayStay = await delay.hold(addressOfRequest(context.env.incoming, trustedProxies), status);
    if (!mayStay) context.res.headers.set("connection", "close");
  };
}

function addHeaders(headers: Record<string, string>): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
    const policy = context.res.headers.get("content-security-policy") ?? LOADS_NOTHING;
    context.res.headers.set("content-security-policy", policy);
    for (const [name, value] of Object.entries(frameOptions(policy))) context.res.headers.set(name, value);
  };
}
