import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerByUrl } from "./by-url/answer-by-url.ts";
import { control } from "./control.ts";
import { type Api, CAPTCHA_PAGE, type Fault, gzipBomb, spoil } from "./faults.ts";
import { readBody, readParameters, type Sending, send } from "./http-exchange.ts";
import { searchAnswer } from "./official/answer.ts";
import { BadRequest, readRequest } from "./official/read-request.ts";
import { officialError, quotaSpent, type Refusal, tooFast } from "./refusals.ts";
import type { World } from "./world.ts";

/** Answers one HTTP request: the token, the search, the by-URL API, or the control of the simulator. */
export async function answerRequest(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://portal");
  world.market.advanceTo(world.clock.now());
  if (url.pathname.startsWith("/control/")) {
    await answerControl(world, request, response, url);
    return;
  }
  const route = routeOf(request.method ?? "", url.pathname);
  if (route === undefined) {
    send(request, response, json(officialError(404, "not found")));
    return;
  }
  const parameters = await readParameters(request, url.searchParams);
  const faults = world.faults.strike(route.api);
  const delayMs = faults.find(({ fault }) => fault === "slow")?.ms ?? 0;
  if (delayMs > 0) {
    await wait(delayMs, undefined, { ref: false });
  }
  const spoiling = faults.find(({ fault }) => fault !== "slow");
  const sending = spoiling === undefined ? undefined : replacementFor(world, route.api, spoiling);
  if (sending === "hang" || sending === "down") {
    note(world, route.api, parameters, "none", faults);
    if (sending === "down") {
      request.socket.destroy();
    }
    return;
  }
  const answer =
    sending ?? trueAnswer(world, { ...route, request, parameters, query: url.searchParams }, spoiling);
  note(world, route.api, parameters, answer.status, faults);
  send(request, response, answer);
}

interface Asked {
  readonly api: Api;
  readonly country: string;
  readonly request: IncomingMessage;
  readonly parameters: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
}

function routeOf(method: string, path: string): { api: Api; country: string } | undefined {
  if (method === "POST" && path === "/oauth/token") {
    return { api: "token", country: "" };
  }
  const country = /^\/3\.5\/([a-z]{2})\/search$/.exec(path)?.[1];
  if (method === "POST" && country !== undefined) {
    return { api: "search", country };
  }
  return method === "GET" && path === "/property-search-by-url" ? { api: "by-url", country: "" } : undefined;
}

function trueAnswer(world: World, asked: Asked, fault: Fault | undefined): Sending {
  const answer = plainAnswer(world, asked);
  const sending = json(
    fault === undefined || answer.status !== 200 ? answer : { ...answer, body: spoil(answer.body, fault) },
  );
  return fault?.fault === "truncated" ? { ...sending, isTruncated: true } : sending;
}

function plainAnswer(world: World, asked: Asked): Refusal {
  switch (asked.api) {
    case "token":
      return world.tokens.grant(asked.request.headers.authorization, asked.parameters);
    case "search":
      return answerSearch(world, asked);
    case "by-url":
      return answerUrlSearch(world, asked);
  }
}

function answerSearch(world: World, asked: Asked): Refusal {
  if (!world.tokens.isValid(asked.request.headers.authorization)) {
    return world.tokens.refusal();
  }
  const limited = limitAnswer(world, "official");
  if (limited !== undefined) {
    return limited;
  }
  if (!["es", "it", "pt"].includes(asked.country)) {
    return officialError(400, "Invalid value. Accepted values for country are: es, it, pt");
  }
  try {
    const request = readRequest(asked.parameters);
    if (request.locationId !== null && !world.market.geography.isSearchable(request.locationId)) {
      return officialError(404, "the locationId doesn't exist");
    }
    return { status: 200, body: searchAnswer(world.market, request) };
  } catch (error) {
    if (error instanceof BadRequest) {
      return officialError(400, error.message);
    }
    throw error;
  }
}

function answerUrlSearch(world: World, asked: Asked): Refusal {
  if (asked.request.headers["x-rapidapi-key"] !== world.byUrlKey) {
    return { status: 401, body: { message: "Invalid API key." } };
  }
  return limitAnswer(world, "by-url") ?? answerByUrl(world.market, asked.query);
}

function limitAnswer(world: World, api: "official" | "by-url"): Refusal | undefined {
  const limits = api === "official" ? world.limits : world.byUrlLimits;
  switch (limits.admit()) {
    case "admitted":
      return undefined;
    case "too-fast":
      return tooFast(api, world.limitShape);
    case "quota-spent":
      return quotaSpentAnswer(world, api);
  }
}

function quotaSpentAnswer(world: World, api: "official" | "by-url"): Refusal {
  const { msToNextMonth } = world.limits;
  return quotaSpent(api, { shape: world.limitShape, key: world.tokens.key, msToReset: msToNextMonth });
}

/** What is sent instead of the true answer; undefined when the fault only spoils it. */
function replacementFor(world: World, api: Api, { fault }: Fault): Sending | "hang" | "down" | undefined {
  const speaker = api === "by-url" ? "by-url" : "official";
  const html = { "content-type": "text/html; charset=utf-8" };
  switch (fault) {
    case "hang":
    case "down":
      return fault;
    case "captcha":
      return { status: 200, body: CAPTCHA_PAGE, headers: html };
    case "bad-gateway":
      return { status: 502, body: "<html><body><h1>502 Bad Gateway</h1></body></html>", headers: html };
    case "wrong-json":
      return { status: 200, body: JSON.stringify({ status: "ok", items: [] }) };
    case "gzip-bomb":
      return { status: 200, body: gzipBomb(), headers: { "content-encoding": "gzip" } };
    case "redirect":
      return { status: 302, body: "", headers: { location: "http://127.0.0.1:9/" } };
    case "server-error":
      return json(officialError(500, "server error"));
    case "rate-limited":
      return json(tooFast(speaker, world.limitShape));
    case "quota-spent":
      return json(quotaSpentAnswer(world, speaker));
    case "unauthorized":
      return json(
        api === "token"
          ? { status: 401, body: { error: "unauthorized", error_description: "Bad credentials" } }
          : api === "search"
            ? world.tokens.refusal()
            : { status: 401, body: { message: "Invalid API key." } },
      );
    case "forbidden":
      return json({ status: 403, body: { message: "You are not subscribed to this API." } });
    default:
      return undefined;
  }
}

async function answerControl(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  if (!world.isControlOn) {
    send(request, response, json(officialError(404, "not found")));
    return;
  }
  const text = (await readBody(request)).toString("utf8");
  const body = parseObject(text);
  const answer =
    body === undefined
      ? { status: 400, body: { error: "bad-json", message: "the body must be a JSON object" } }
      : control(world, {
          method: request.method ?? "",
          path: url.pathname.split("/").slice(2).map(decodeURIComponent),
          query: url.searchParams,
          body,
        });
  send(request, response, json(answer));
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = text === "" ? {} : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function note(
  world: World,
  api: Api,
  parameters: ReadonlyMap<string, string>,
  status: number | "none",
  faults: readonly Fault[],
): void {
  world.ledger.write({
    at: new Date(world.market.now).toISOString(),
    api,
    parameters: Object.fromEntries(parameters),
    status,
    faults: faults.map(({ fault }) => fault),
  });
}

function json(answer: Refusal): Sending {
  return {
    status: answer.status,
    body: JSON.stringify(answer.body),
    ...(answer.headers === undefined ? {} : { headers: answer.headers }),
  };
}
