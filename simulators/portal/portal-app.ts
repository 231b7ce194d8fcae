import { setTimeout as wait } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { SavedSearches } from "./alert-mails/saved-searches.ts";
import { type Answer, type LimitShape, officialError, quotaSpent, tooFast, unauthorized } from "./answer.ts";
import { answerByUrl } from "./by-url/answer-by-url.ts";
import { controlRoutes } from "./control.ts";
import { type Api, type Fault, type Faults, gzipBomb, spoil } from "./faults.ts";
import type { Ledger, Limits, Tokens } from "./gateway.ts";
import type { Clock } from "./market/clock.ts";
import type { Market } from "./market/market.ts";
import { isSearchable } from "./market/places.ts";
import { searchAnswer } from "./official/answer.ts";
import { BadRequest, readRequest } from "./official/read-request.ts";

/** The state of a running simulator. */
export interface World {
  readonly clock: Clock;
  readonly market: Market;
  readonly savedSearches: SavedSearches | null;
  readonly tokens: Tokens;
  readonly limits: Limits;
  readonly byUrlLimits: Limits;
  readonly byUrlKey: string;
  readonly faults: Faults;
  readonly ledger: Ledger;
  limitShape: LimitShape;
}

type PortalContext = Context<{ Bindings: HttpBindings }>;
type Parameters = ReadonlyMap<string, string>;

const HTML = { "content-type": "text/html; charset=utf-8" };

export function createPortalApp(world: World): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (_, next) => {
    world.market.advanceTo(world.clock.now());
    await next();
    world.savedSearches?.look();
  });
  app.route("/control", controlRoutes(world));
  app.post("/oauth/token", (context) =>
    respond(world, context, "token", (form) => world.tokens.grant(context.req.header("authorization"), form)),
  );
  app.post("/3.5/:country{[a-z]{2}}/search", (context) =>
    respond(world, context, "search", (form) => search(world, context, form)),
  );
  app.get("/property-search-by-url", (context) =>
    respond(world, context, "by-url", (query) => searchByUrl(world, context, query)),
  );
  app.notFound(() => responseOf(officialError(404, "not found")));
  return app;
}

/** Answers the request, unless a fault applies. */
async function respond(
  world: World,
  context: PortalContext,
  api: Api,
  trueAnswer: (parameters: Parameters) => Answer,
): Promise<Response> {
  const parameters = await parametersOf(context);
  const faults = world.faults.strike(api);
  const delayMs = faults.find(({ fault }) => fault === "slow")?.ms ?? 0;
  if (delayMs > 0) {
    await wait(delayMs, undefined, { ref: false });
  }
  const fault = faults.find((one) => one.fault !== "slow");
  const note = (status: number | "none") =>
    world.ledger.write({
      api,
      parameters: Object.fromEntries(parameters),
      status,
      faults: faults.map((one) => one.fault),
    });
  if (fault?.fault === "hang" || fault?.fault === "down") {
    note("none");
    if (fault.fault === "down") {
      context.env.incoming.socket.destroy();
    }
    return new Promise<never>(() => {});
  }
  const response = faultyResponse(world, api, fault) ?? spoiledResponse(trueAnswer(parameters), fault);
  note(response.status);
  return response;
}

/** The API takes parameters from the query, a urlencoded body and a multipart body. */
async function parametersOf(context: PortalContext): Promise<Parameters> {
  // An unreadable body has no parameters. The search then reports which are missing.
  const form = await context.req.parseBody().catch(() => ({}));
  const fields = Object.entries(form).filter(
    (field): field is [string, string] => typeof field[1] === "string",
  );
  return new Map([...Object.entries(context.req.query()), ...fields]);
}

function search(world: World, context: PortalContext, parameters: Parameters): Answer {
  if (!world.tokens.isValid(context.req.header("authorization"))) {
    return unauthorized("search");
  }
  const limited = limitAnswer(world, "official");
  if (limited !== undefined) {
    return limited;
  }
  if (!["es", "it", "pt"].includes(context.req.param("country") ?? "")) {
    return officialError(400, "Invalid value. Accepted values for country are: es, it, pt");
  }
  try {
    const request = readRequest(parameters);
    return request.locationId === null || isSearchable(request.locationId)
      ? { status: 200, body: searchAnswer(world.market, request) }
      : officialError(404, "the locationId doesn't exist");
  } catch (error) {
    if (error instanceof BadRequest) {
      return officialError(400, error.message);
    }
    throw error;
  }
}

function searchByUrl(world: World, context: PortalContext, query: Parameters): Answer {
  return context.req.header("x-rapidapi-key") === world.byUrlKey
    ? (limitAnswer(world, "by-url") ?? answerByUrl(world.market, query))
    : unauthorized("by-url");
}

function limitAnswer(world: World, speaker: "official" | "by-url"): Answer | undefined {
  const limits = speaker === "official" ? world.limits : world.byUrlLimits;
  switch (limits.admit()) {
    case "admitted":
      return undefined;
    case "too-fast":
      return tooFast(speaker, world.limitShape);
    case "quota-spent":
      return quotaSpent(speaker, world.limitShape, limits.msToNextMonth);
  }
}

/** The answer of a fault; undefined if the fault only corrupts the real one. */
function faultyResponse(world: World, api: Api, fault: Fault | undefined): Response | undefined {
  const speaker = api === "by-url" ? "by-url" : "official";
  switch (fault?.fault) {
    case "captcha":
      return new Response("<!doctype html><title>Please verify</title><h1>Are you a robot?</h1>", {
        headers: HTML,
      });
    case "bad-gateway":
      return new Response("<html><body><h1>502 Bad Gateway</h1></body></html>", {
        status: 502,
        headers: HTML,
      });
    case "wrong-json":
      return Response.json({ status: "ok", items: [] });
    case "gzip-bomb":
      return new Response(new Uint8Array(gzipBomb()), {
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
      });
    case "redirect":
      return new Response("", { status: 302, headers: { location: "http://127.0.0.1:9/" } });
    case "server-error":
      return responseOf(officialError(500, "server error"));
    case "rate-limited":
      return responseOf(tooFast(speaker, world.limitShape));
    case "quota-spent":
      return responseOf(quotaSpent(speaker, world.limitShape, world.limits.msToNextMonth));
    case "unauthorized":
      return responseOf(unauthorized(api));
    case "forbidden":
      return responseOf({ status: 403, body: { message: "You are not subscribed to this API." } });
    default:
      return undefined;
  }
}

function spoiledResponse(answer: Answer, fault: Fault | undefined): Response {
  if (fault === undefined || answer.status !== 200) {
    return responseOf(answer);
  }
  if (fault.fault === "truncated") {
    const text = JSON.stringify(answer.body);
    return new Response(text.slice(0, text.length * 0.6), {
      headers: { "content-type": "application/json" },
    });
  }
  spoil(answer.body, fault);
  return responseOf(answer);
}

function responseOf({ status, body, headers = {} }: Answer): Response {
  return Response.json(body, { status, headers });
}
