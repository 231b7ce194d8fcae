// The data API: a strict subset of PostgREST's protocol on our own PostgreSQL. A request is parsed into a query
// (parse-request.ts) and compiled to one statement (compile-query.ts), which PostgreSQL runs with the caller's rights.
import type { JWTPayload } from "jose";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { createRateLimiter, type RateLimiter } from "#platform/limits/rate-limit.ts";
import { type Bearer, type CheckAccessToken, tokenIn } from "../auth/access-token.ts";
import { restRefusal } from "../auth/auth-error.ts";
import { type Caller, callerOf } from "../auth/auth-request.ts";
import { runAsPerson } from "../person-transaction.ts";
import { answerTo, type StatementRow } from "./answer.ts";
import type { Catalogue } from "./catalogue.ts";
import { compileQuery } from "./compile-query.ts";
import type { DataGate } from "./data-gate.ts";
import { answerToError, isBusy } from "./database-error.ts";
import { parseRequest, parseTarget, type Target } from "./parse-request.ts";
import type { Query } from "./query.ts";
import { badBody, restError } from "./rest-error.ts";

export type ApiRequestBudget = { perAddress: number; perPerson: number };

export type FunctionCall = {
  name: string;
  args: ReadonlyMap<string, unknown>;
  bearer: Bearer;
  caller: Caller;
};

/** Checks a call that requires more than a token: refuses it, or runs it with a proof for its transaction alone. */
export type AroundCall = (
  call: FunctionCall,
  run: (proof?: string) => Promise<Response>,
) => Promise<Response>;

export type RestApiOptions = {
  /** Connections whose login has only the rights of `anon` and `authenticated`. */
  people: Sql;
  catalogue: Catalogue;
  isPublishableKey: (text: string) => Promise<boolean>;
  checkToken: CheckAccessToken;
  aroundCall: ReadonlyMap<string, AroundCall>;
  inTurn: DataGate;
  budget: ApiRequestBudget;
  now: () => number;
  logger: Logger;
};

export type RestApi = (request: Request, address: string) => Promise<Response>;

/** A person, with the claims of their token, or a guest at an address. */
type Requester = { bearer?: Bearer; claims?: JWTPayload; caller: Caller };

export function createRestApi(options: RestApiOptions): RestApi {
  const identify = createIdentification(options);
  const runQuery = createQueryRunner(options);
  return async (request, address) => {
    const { pathname, search } = new URL(request.url);
    const target = parseTarget(request.method, pathname);
    if (!target) return notThere();
    let isGuest = true;
    try {
      const requester = await identify(request, address);
      if (requester instanceof Response) return requester;
      isGuest = requester.bearer === undefined;
      // Read the whole body before taking a place, so that a slow sender does not occupy one.
      const query = await readQuery({ request, target, search }, options.catalogue);
      const person = requester.bearer?.userId ?? address;
      return await options.inTurn({ person, address }, () => runQuery(query, requester));
    } catch (error) {
      if (isBusy(error))
        options.logger.error({ err: error }, "a request failed because the database is unavailable");
      const answer = answerToError(error, { isGuest });
      if (!answer) throw new Error("The data API failed", { cause: error });
      return answer;
    }
  };
}

type RawRequest = { request: Request; target: Target; search: string };

async function readQuery({ request, target, search }: RawRequest, catalogue: Catalogue): Promise<Query> {
  const { method, headers } = request;
  const hasBody = method === "POST" || method === "PATCH";
  const body = hasBody ? await request.arrayBuffer().catch(() => "cut off" as const) : undefined;
  if (body === "cut off") throw badBody("The body is incomplete");
  return parseRequest({ method, target, search, headers, body }, catalogue);
}

function createQueryRunner({ people, aroundCall }: RestApiOptions) {
  const isPrepared = createPreparedTexts();
  return (query: Query, { bearer, claims, caller }: Requester): Promise<Response> => {
    const { text, values } = compileQuery(query);
    const statement = { text, values, isPrepared: isPrepared(text) };
    const run = (proof?: string) =>
      runAsPerson(people, { claims, isReadOnly: query.isReadOnly, proof }, async (ask) => {
        const [row] = await ask(statement);
        return answerTo(query, row as StatementRow);
      });
    if (query.kind !== "call" || !bearer) return run();
    const { name } = query.routine;
    const around = aroundCall.get(name);
    return around ? around({ name, args: query.args, bearer, caller }, run) : run();
  };
}

// Every connection keeps its prepared statements: invented queries must not fill its memory.
const MAX_PREPARED = 200;
const MAX_PREPARED_CHARACTERS = 2_000;

/** The first statements are those that all pages use, so none is replaced by a later one. */
function createPreparedTexts(): (text: string) => boolean {
  const texts = new Set<string>();
  return (text) => {
    if (texts.size < MAX_PREPARED && text.length <= MAX_PREPARED_CHARACTERS) texts.add(text);
    return texts.has(text);
  };
}

/** Identifies the caller and charges the request to the budgets of address and person; or returns the refusal. */
function createIdentification({ budget, checkToken, isPublishableKey, now }: RestApiOptions) {
  const addresses = createBudget(budget.perAddress);
  const people = createBudget(budget.perPerson);
  return async (request: Request, address: string): Promise<Requester | Response> => {
    if (!addresses.take(address, now())) return tooManyRequests(addresses.waitMs(address, now()));
    const key = request.headers.get("apikey");
    if (!(await isPublishableKey(key ?? ""))) return wrongKey(key !== null);
    const token = tokenIn(request.headers);
    const caller = callerOf(request, address);
    if (token === undefined) return { caller };
    const answer = await checkToken(token);
    if (!answer.ok) return restRefusal(answer.reason);
    const { bearer, claims } = answer;
    const { userId } = bearer;
    if (!people.take(userId, now())) return tooManyRequests(people.waitMs(userId, now()));
    return { bearer, claims, caller };
  };
}

function createBudget(perMinute: number): RateLimiter {
  return createRateLimiter({ perWindow: perMinute, windowMs: 60_000, burst: Math.ceil(perMinute / 4) });
}

const notThere = () =>
  restError({ status: 404, code: "PGRST125", message: "This server has no such table, function or method" });

const wrongKey = (isGiven: boolean) =>
  restError({
    status: 401,
    code: "401",
    message: isGiven ? "Invalid API key" : "No API key found in request",
  });

function tooManyRequests(waitMs: number): Response {
  return restError({
    status: 429,
    code: "over_request_rate_limit",
    message: "Too many requests; try again later",
    headers: { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
}
