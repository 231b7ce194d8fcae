// The auth service asks Google at fixed addresses, by the global fetch, and takes Google's word for an address it has
// not verified. This stands between the two while a person comes back from Google: it adds what the flow was bound to,
// looks at who is said to have signed in before the auth service does, and leads to another provider where one is set.
import { AsyncLocalStorage } from "node:async_hooks";

export type GoogleClaims = { sub: string; email: string; isVerified: boolean; nonce: string | undefined };

export type Refusal = { error: string; code: string; description: string };

export type GoogleCall = {
  /** Another OpenID provider in Google's place. */
  providerUrl: string | undefined;
  codeVerifier: string;
  judge: (claims: GoogleClaims) => Promise<Refusal | undefined>;
};

type Watched = GoogleCall & { refusal: Refusal | undefined };

const calls = new AsyncLocalStorage<Watched>();
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const USER_URL = "https://www.googleapis.com/userinfo/v2/me";
const GOOGLE_HOST = /^https:\/\/(accounts\.google\.com|(oauth2|www)\.googleapis\.com)$/;

const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const call = calls.getStore();
  return call ? fetchWatched(call, input, init) : plainFetch(input, init);
};

/** Runs what asks Google, and tells why the person Google named was turned away, if so. */
export async function callGoogle<T>(
  call: GoogleCall,
  act: () => Promise<T>,
): Promise<{ result: T; refusal: Refusal | undefined }> {
  const watched: Watched = { ...call, refusal: undefined };
  const result = await calls.run(watched, act);
  return { result, refusal: watched.refusal };
}

/** The same address at the provider that stands in Google's place. */
export function addressAt(providerUrl: string | undefined, address: string): string {
  const url = new URL(address);
  if (!providerUrl || !GOOGLE_HOST.test(url.origin)) return address;
  return `${providerUrl}${url.pathname}${url.search}`;
}

async function fetchWatched(
  call: Watched,
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input);
  const target = addressAt(call.providerUrl, address);
  if (address === TOKEN_URL) {
    const body = new URLSearchParams(String(init.body));
    body.set("code_verifier", call.codeVerifier);
    return judged(call, await plainFetch(target, { ...init, body: body.toString() }));
  }
  const answer = await plainFetch(target, init);
  return address === USER_URL ? judged(call, answer) : answer;
}

async function judged(call: Watched, answer: Response): Promise<Response> {
  if (!answer.ok) return answer;
  const body = (await answer.clone().json()) as Record<string, unknown>;
  const claims = claimsIn(body);
  if (claims) call.refusal = await call.judge(claims);
  return call.refusal ? new Response(null, { status: 403 }) : answer;
}

/** What an ID token says, unproven: the auth service checks its signature next; or the same from Google's user page. */
function claimsIn(body: Record<string, unknown>): GoogleClaims | undefined {
  const token = typeof body.id_token === "string" ? body.id_token : undefined;
  if (token === undefined && body.access_token !== undefined) return undefined;
  const said = token === undefined ? body : payloadOf(token);
  return {
    sub: String(said.sub ?? said.id ?? ""),
    email: String(said.email ?? "").toLowerCase(),
    isVerified: said.email_verified === true || said.verified_email === true,
    nonce: typeof said.nonce === "string" ? said.nonce : undefined,
  };
}

function payloadOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
}
