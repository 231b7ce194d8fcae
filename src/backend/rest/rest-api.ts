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
import { chargeOf, readBytes } from "../read-body.ts";
import { answerTo, type StatementRow } from "./answer.ts";
import { createAnswerBudget, tooManyUnread } from "./answer-budget.ts";
import type { AroundCall } from "./around-call.ts";
import type { Catalogue } from "./catalogue.ts";
import { compileQuery } from "./compile-query.ts";
import type { DataGate } from "./data-gate.ts";
import { answerToError, isBusy } from "./database-error.ts";
import { parseRequest, parseTarget, requireRight, type Target } from "./parse-request.ts";
import type { Query } from "./query.ts";
import { badBody, restError } from "./rest-error.ts";

export type ApiRequestBudget = { perAddress: number; perPerson: number };

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

export type RestApi = (request: Request, address: string, written?: Promise<unknown>) => Promise<Response>;

/** A person, with the claims of their token, or a guest at an address. */
type Requester = { bearer?: Bearer; claims?: JWTPayload; caller: Caller };

export function createRestApi(options: RestApiOptions): RestApi {
  const { identify, charge } = createIdentification(options);
  const readQuery = createQueryReader(options.catalogue, charge);
  const runQuery = createQueryRunner(options);
  const unread = createAnswerBudget();
  return async (request, address, written = Promise.resolve()) => {
    const { pathname, search } = new URL(request.url);
    const target = parseTarget(request.method, pathname);
    if (!target) return notThere();
    const requester = await identify(request, address);
    if (requester instanceof Response) return requester;
    const isGuest = requester.bearer === undefined;
    try {
      const query = await readQuery({ request, target, search }, requester);
      if (query instanceof Response) return query;
      const dataCaller = { person: requester.bearer?.userId ?? address, address };
      return await options.inTurn(dataCaller, async () => {
        if (unread.isSpent(dataCaller)) return tooManyUnread();
        const onBytes = (bytes: number) => unread.hold(dataCaller, { bytes, written });
        return runQuery(query, { requester, written, onBytes });
      });
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

/** Parses a request. Its body is read only if the caller may do this at all, and after it has been charged. */
function createQueryReader(catalogue: Catalogue, charge: Identification["charge"]) {
  return async ({ request, target, search }: RawRequest, requester: Requester): Promise<Query | Response> => {
    const { method, headers } = request;
    const role = requester.bearer ? "authenticated" : "anon";
    const { bodyBytes, tooLarge } = requireRight({ method, target }, { catalogue, role });
    if (method !== "POST" && method !== "PATCH")
      return parseRequest({ method, target, search, headers, body: undefined }, catalogue);
    const overBudget = charge(request, requester);
    if (overBudget) return overBudget;
    // The whole body is read before taking a place, so that a slow sender does not occupy one.
    const body = await readBytes(request, bodyBytes);
    if (body === "too large") throw tooLarge;
    if (body === "cut off") throw badBody("The body is incomplete");
    return parseRequest({ method, target, search, headers, body }, catalogue);
  };
}

type Running = { requester: Requester; written: Promise<unknown>; onBytes: (bytes: number) => void };

function createQueryRunner({ people, aroundCall }: RestApiOptions) {
  const isPrepared = createPreparedTexts();
  return (query: Query, { requester, written, onBytes }: Running): Promise<Response> => {
    const { bearer, claims, caller } = requester;
    const { text, values } = compileQuery(query);
    const statement = { text, values, isPrepared: isPrepared(text) };
    // Every token of ours names its session.
    const person = { claims, isReadOnly: query.isReadOnly, needsSession: claims?.session_id !== undefined };
    const run = (proof?: string) =>
      runAsPerson(people, { ...person, proof }, async (ask) => {
        const [row] = await ask(statement);
        onBytes(Buffer.byteLength((row as StatementRow).body));
        return answerTo(query, row as StatementRow);
      });
    if (query.kind !== "call" || !bearer) return run();
    const { name } = query.routine;
    const around = aroundCall.get(name);
    return around ? around({ name, args: query.args, bearer, caller, written }, run) : run();
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

type Identification = ReturnType<typeof createIdentification>;

/** Identifies the caller and charges the request to the budgets of address and person; or returns the refusal. */
function createIdentification({ budget, checkToken, isPublishableKey, now }: RestApiOptions) {
  const addresses = createBudget(budget.perAddress);
  const people = createBudget(budget.perPerson);
  const identify = async (request: Request, address: string): Promise<Requester | Response> => {
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
  /** Charges the bytes of the body before they are read; returns the refusal if they exceed a budget. */
  const charge = (request: Request, { bearer, caller: { address } }: Requester): Response | undefined => {
    const count = chargeOf(request);
    if (count === 0) return undefined;
    if (!addresses.take(address, now(), count)) return tooManyRequests(addresses.waitMs(address, now()));
    if (!bearer || people.take(bearer.userId, now(), count)) return undefined;
    return tooManyRequests(people.waitMs(bearer.userId, now()));
  };
  return { identify, charge };
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
