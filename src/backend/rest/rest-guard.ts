// Stands before the data API: tables and functions by name and method, a budget for each address and person, questions
// that can be answered. What no rule here names is not there.
import type { JWTPayload } from "jose";
import { type Bearer, type CheckAccessToken, tokenIn } from "../auth/access-token.ts";
import { restRefusal } from "../auth/refusals.ts";
import type { DataGate } from "../limits/data-gate.ts";
import { createRateLimiter, type RateLimiter } from "../limits/rate-limit.ts";
import { type LiteAnswer, mendRestAnswer } from "./rest-answer.ts";
import { readRestBody } from "./rest-body.ts";
import { badQuery, restError } from "./rest-error.ts";
import { complaintAboutQuery, type RestTarget } from "./rest-query.ts";

export type RequestBudget = { perAddress: number; perPerson: number };

/** Who asks: a person, by the claims of their token, or a guest at an address. */
export type Asker = { bearer?: Bearer; claims?: JWTPayload; address: string };

export type RestGuardOptions = {
  ask: (request: Request, asker: Asker) => Promise<LiteAnswer>;
  /** Shares the database out among those who ask. */
  inTurn: DataGate;
  checkToken: CheckAccessToken;
  /** Requests a minute. */
  budget: RequestBudget;
  siteUrl: string;
  now: () => number;
};

export type RestGuard = (request: Request, address: string) => Promise<Response>;

const ROUTES: { path: RegExp; methods: string[]; target: RestTarget }[] = [
  {
    path: /^\/rest\/v1\/(?!rpc$)[a-z_][a-z0-9_]{0,62}$/,
    methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
    target: "table",
  },
  { path: /^\/rest\/v1\/rpc\/[a-z_][a-z0-9_]{0,62}$/, methods: ["GET", "HEAD", "POST"], target: "function" },
];

// What supabase-js sends that the data API acts on; a function could read every header that is handed on.
const HEADERS = [
  "accept",
  "accept-profile",
  "apikey",
  "authorization",
  "content-profile",
  "content-type",
  "prefer",
  "range",
  "range-unit",
];

export function createRestGuard(options: RestGuardOptions): RestGuard {
  const spend = createBudgets(options);
  return async (request, address) => {
    const { pathname, search } = new URL(request.url);
    const route = ROUTES.find(({ path, methods }) => path.test(pathname) && methods.includes(request.method));
    if (!route) return notThere();
    const asker = await spend(request, address);
    if (asker instanceof Response) return asker;
    const complaint = complaintAboutQuery(search, route.target);
    if (complaint) return badQuery(complaint);
    const body = await readRestBody(request);
    if (body instanceof Response) return body;
    const judged = { siteUrl: options.siteUrl, pathname, search, body };
    const asked = canonicalRequest(request, judged);
    const person = asker.bearer?.userId ?? address;
    // Read whole before it takes a place: who sends slowly must not hold one meanwhile.
    return options.inTurn({ person, address }, async () => mendRestAnswer(await options.ask(asked, asker)));
  };
}

/** Who asks, once the request is taken from the budgets of their address and of themselves; or the refusal. */
function createBudgets({ budget, checkToken, now }: RestGuardOptions) {
  const addresses = createBudget(budget.perAddress);
  const people = createBudget(budget.perPerson);
  return async (request: Request, address: string): Promise<Asker | Response> => {
    if (!addresses.take(address, now())) return tooManyRequests(addresses.waitMs(address, now()));
    const token = tokenIn(request.headers);
    if (token === undefined) return { address };
    const answer = await checkToken(token);
    if (!answer.ok) return restRefusal(answer.reason);
    const { bearer, claims } = answer;
    const { userId } = bearer;
    if (!people.take(userId, now())) return tooManyRequests(people.waitMs(userId, now()));
    return { bearer, claims, address };
  };
}

/** What was judged, under our own name, and nothing else of how it came. */
function canonicalRequest(
  request: Request,
  judged: { siteUrl: string; pathname: string; search: string; body: string | undefined },
): Request {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, name === "prefer" ? withExactCount(value) : value);
  }
  const url = new URL(`${judged.pathname}${judged.search}`, judged.siteUrl);
  return new Request(url, { method: request.method, headers, ...(judged.body ? { body: judged.body } : {}) });
}

/**
 * PostgreSQL estimates a count from what it knows of everyone's rows, and so tells how many another person has. Who asks
 * for an estimate gets the count of what they may see.
 */
function withExactCount(prefer: string): string {
  return prefer.replaceAll(/\bcount\s*=\s*(planned|estimated)/gi, "count=exact");
}

function createBudget(perMinute: number): RateLimiter {
  return createRateLimiter({ perWindow: perMinute, windowMs: 60_000, burst: Math.ceil(perMinute / 4) });
}

export const notThere = () =>
  restError({ status: 404, code: "PGRST125", message: "This server has no such table, function or method" });

function tooManyRequests(waitMs: number): Response {
  return restError({
    status: 429,
    code: "over_request_rate_limit",
    message: "Too many requests; wait a little",
    headers: { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
}
