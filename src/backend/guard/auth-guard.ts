// Stands before the auth service: lets through what the product uses, counts, and takes away the ways to find out
// whether somebody has an account. Everything else is the auth service's business.
import { availableParallelism } from "node:os";
import bcrypt from "bcryptjs";
import { type AuthBody, readAuthBody } from "./auth-body.ts";
import { authError, rateLimited } from "./auth-error.ts";
import { type AuthLimits, createAuthLimits } from "./auth-limits.ts";
import { createGate } from "./gate.ts";

export type AuthGuardOptions = {
  forward: (request: Request) => Promise<Response>;
  hasPassword: (email: string) => Promise<boolean>;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
};

export type AuthGuard = {
  fetch: (request: Request, address: string) => Promise<Response>;
  /** Settles when no mail is on its way any more. */
  idle: () => Promise<void>;
};

type Limit = "mailing" | "tokens" | "verifying";

const ROUTES: Record<string, { limit?: Limit }> = {
  "POST /auth/v1/signup": { limit: "mailing" },
  "POST /auth/v1/recover": { limit: "mailing" },
  "POST /auth/v1/resend": { limit: "mailing" },
  "PUT /auth/v1/user": { limit: "mailing" },
  "POST /auth/v1/token": { limit: "tokens" },
  "POST /auth/v1/verify": { limit: "verifying" },
  "GET /auth/v1/verify": { limit: "verifying" },
  "GET /auth/v1/authorize": { limit: "verifying" },
  "GET /auth/v1/callback": { limit: "verifying" },
  "GET /auth/v1/user": {},
  "POST /auth/v1/logout": {},
  "GET /auth/v1/health": {},
  "GET /auth/v1/settings": {},
  "GET /auth/v1/.well-known/jwks.json": {},
};

// The cost of the hashes the auth service makes. The password behind this one was random and is forgotten.
const NOBODYS_HASH = bcrypt.hashSync(crypto.randomUUID(), 10);

export function createAuthGuard(options: AuthGuardOptions): AuthGuard {
  const limits = createAuthLimits();
  const knownAddresses = new Map<string, Set<string>>();
  const background = new Set<Promise<void>>();
  // A password hash fills a core for a tenth of a second: one core is left to everyone else.
  const hashing = createGate(Math.max(1, availableParallelism() - 1));

  const fetch = async (request: Request, address: string): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const route = ROUTES[`${request.method} ${pathname}`];
    if (!route) return authError(404, "not_found", "This server has no such auth route");
    if (route.limit && !limits[route.limit].take(address, options.now())) return rateLimited();
    if (request.method === "GET" || pathname.endsWith("/logout")) return options.forward(request);
    const body = await readAuthBody(request);
    return body instanceof Response ? body : act(request, body, address);
  };

  const act = (request: Request, body: AuthBody, address: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const again = () => options.forward(withBody(request, body));
    if (pathname.endsWith("/recover")) return recover(body, again);
    if (body.password === undefined) return again();
    const isSignIn = pathname.endsWith("/token") && searchParams.get("grant_type") === "password";
    if (!isSignIn) return hashing(again);
    return hashing(() => signIn({ body, address, again, limits, knownAddresses, options }));
  };

  // Known or unknown, first or second within the minute: the same answer, before anything is looked up.
  const recover = async (body: AuthBody, again: () => Promise<Response>) => {
    const email = emailOf(body);
    if (!email?.includes("@")) return again();
    if (limits.mailsToOneAddress.take(email, options.now())) {
      const task = again()
        .then(async (answer) => {
          if (!answer.ok) throw new Error(`The auth service answered a password reset with ${answer.status}`);
        })
        .catch(options.onBackgroundError)
        .finally(() => background.delete(task));
      background.add(task);
    }
    return Response.json({}, { headers: { "cache-control": "no-store" } });
  };

  return { fetch, idle: async () => void (await Promise.all(background)) };
}

async function signIn(attempt: {
  body: AuthBody;
  address: string;
  again: () => Promise<Response>;
  limits: AuthLimits;
  knownAddresses: Map<string, Set<string>>;
  options: AuthGuardOptions;
}): Promise<Response> {
  const { body, address, limits, knownAddresses, options } = attempt;
  const email = emailOf(body);
  if (!email || typeof body.password !== "string") return attempt.again();
  // Who has signed in from here before is counted apart: a stranger's guesses never lock the owner out.
  const isKnown = knownAddresses.get(email)?.has(address) ?? false;
  const key = isKnown ? `${email} ${address}` : email;
  if (limits.wrongPasswords.isSpent(key, options.now())) return rateLimited();

  // The auth service hashes only where there is something to compare with; the time it takes must not tell.
  if (!(await options.hasPassword(email))) await bcrypt.compare(body.password, NOBODYS_HASH);
  const answer = await attempt.again();
  if (answer.ok) knownAddresses.set(email, (knownAddresses.get(email) ?? new Set()).add(address));
  else limits.wrongPasswords.take(key, options.now());
  return answer;
}

function emailOf(body: AuthBody): string | undefined {
  return typeof body.email === "string" ? body.email.toLowerCase() : undefined;
}

function withBody(request: Request, body: AuthBody): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}
