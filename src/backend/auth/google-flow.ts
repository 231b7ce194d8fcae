// Sign-in with Google, from the button to the way back. The auth service's flow lacks a tie to the browser it began in
// (anyone's answer from Google could be slipped to anyone), so a cookie carries one: from it come the code's PKCE
// verifier and the nonce, and without it nothing Google answers is taken.
import { createHash, randomBytes } from "node:crypto";
import { SIGN_UPS_SPENT, type SignUpLimit } from "../limits/sign-up-limit.ts";
import type { AuthRecords } from "./auth-records.ts";
import { addressAt, callGoogle, type GoogleClaims, type Refusal } from "./google-calls.ts";
import type { Redirects } from "./redirects.ts";

export type GoogleFlow = {
  /** Sends a person who is turned away back home: whoever comes here is a person, to be shown a page. */
  turnAway: (refusal: Refusal) => Response;
  authorize: (request: Request) => Promise<Response>;
  callback: (request: Request, address: string) => Promise<Response>;
};

export type GoogleFlowOptions = {
  forward: (request: Request) => Promise<Response>;
  records: AuthRecords;
  redirects: Redirects;
  signUps: SignUpLimit;
  providerUrl: string | undefined;
};

// Longer than the five minutes the auth service gives a flow: whoever comes back late is told so in their language.
const COOKIE_SECONDS = 1800;
const STATE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export function createGoogleFlow(options: GoogleFlowOptions): GoogleFlow {
  const isSecure = options.redirects.home.startsWith("https:");
  const cookieName = (state: string) => `${isSecure ? "__Host-" : ""}google-${state}`;
  const cookie = (state: string, value: string, seconds: number) =>
    `${cookieName(state)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;

  const authorize = async (request: Request): Promise<Response> => {
    const asked = new URL(request.url).searchParams;
    const method = asked.get("code_challenge_method");
    if (method !== null && method.toLowerCase() !== "s256") {
      return failed(options.redirects.home, NO_S256);
    }
    const redirectTo = options.redirects.find(asked.get("redirect_to")) ?? options.redirects.home;
    const answer = await options.forward(plainRequest(request, redirectTo));
    const location = answer.headers.get("location");
    if (answer.status !== 302 || !location) return failed(redirectTo, NOT_OFFERED);
    const target = new URL(addressAt(options.providerUrl, location));
    const secret = randomBytes(32).toString("base64url");
    target.searchParams.delete("redirect_to");
    target.searchParams.set("nonce", nonceOf(secret));
    target.searchParams.set("code_challenge", hashOf(secret));
    target.searchParams.set("code_challenge_method", "S256");
    const state = target.searchParams.get("state") ?? "";
    const value = `${secret}.${Buffer.from(redirectTo).toString("base64url")}`;
    return new Response(null, {
      status: 302,
      headers: { location: target.href, "set-cookie": cookie(state, value, COOKIE_SECONDS) },
    });
  };

  const callback = async (request: Request, address: string): Promise<Response> => {
    const state = new URL(request.url).searchParams.get("state") ?? "";
    const value = STATE.test(state) ? cookieIn(request, cookieName(state)) : undefined;
    const [secret, back = ""] = value?.split(".") ?? [];
    if (!secret) return failed(options.redirects.home, NOT_FROM_HERE);
    const home = options.redirects.find(Buffer.from(back, "base64url").toString()) ?? options.redirects.home;
    let place: Awaited<ReturnType<SignUpLimit["reserve"]>>;
    const judgeClaims = async (claims: GoogleClaims) => {
      const refused = await judge(claims, nonceOf(secret), options.records);
      if (refused || place || (await options.records.hasAccount("google", claims))) return refused;
      place = await options.signUps.reserve(address);
      return place ? undefined : SPENT;
    };
    const { result, refusal } = await callGoogle(
      { providerUrl: options.providerUrl, codeVerifier: secret, judge: judgeClaims },
      () => options.forward(request),
    );
    const answer = refusal ? failed(home, refusal) : tidied(result, home);
    if (new URL(answer.headers.get("location") ?? home).searchParams.has("error")) await place?.release();
    answer.headers.append("set-cookie", cookie(state, "", 0));
    return answer;
  };

  return { authorize, callback, turnAway: (refusal) => failed(options.redirects.home, refusal) };
}

/** Only what the flow needs: whatever else is in the address, the auth service would hand on to Google. */
function plainRequest(request: Request, redirectTo: string): Request {
  const asked = new URL(request.url);
  const url = new URL(asked.pathname, asked.origin);
  for (const name of ["provider", "code_challenge", "code_challenge_method"]) {
    const value = asked.searchParams.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  url.searchParams.set("redirect_to", redirectTo);
  url.searchParams.set("scopes", "openid");
  return new Request(url, { headers: request.headers });
}

async function judge(
  claims: GoogleClaims,
  nonce: string,
  records: AuthRecords,
): Promise<Refusal | undefined> {
  // Google's user page, where there is no ID token, knows no nonce.
  if (claims.nonce !== undefined && claims.nonce !== nonce) return NOT_FROM_HERE;
  if (!claims.isVerified) return UNVERIFIED;
  return (await records.isTakenByAnother("google", claims)) ? TAKEN : undefined;
}

const NOT_FROM_HERE: Refusal = {
  error: "invalid_request",
  code: "bad_oauth_state",
  description: "This sign-in was not started in this browser",
};
const NOT_OFFERED: Refusal = {
  error: "invalid_request",
  code: "provider_disabled",
  description: "This way of signing in is not offered here",
};
const NO_S256: Refusal = {
  error: "invalid_request",
  code: "validation_failed",
  description: "The code challenge method must be S256",
};
const UNVERIFIED: Refusal = {
  error: "access_denied",
  code: "provider_email_needs_verification",
  description: "Google has not verified this email address",
};
const SPENT: Refusal = {
  error: "access_denied",
  code: SIGN_UPS_SPENT,
  description: "Too many accounts were created from this network today",
};
const TAKEN: Refusal = {
  error: "access_denied",
  code: "email_exists",
  description: "This email address belongs to another Google account here",
};

/** The auth service's way back: its errors in one form, and on success no keys to Google, which nobody here needs. */
function tidied(answer: Response, home: string): Response {
  const location = answer.headers.get("location");
  if (!location) return failed(home, { error: "server_error", code: "unexpected_failure", description: "" });
  const url = new URL(location);
  const error = url.searchParams.get("error");
  if (error) {
    return failed(home, {
      error,
      code: url.searchParams.get("error_code") ?? "",
      description: url.searchParams.get("error_description") ?? "",
    });
  }
  const fragment = new URLSearchParams(url.hash.slice(1));
  fragment.delete("provider_token");
  fragment.delete("provider_refresh_token");
  url.hash = fragment.toString();
  return redirect(url);
}

/** A failure is told in the query and the fragment alike, as hosted Supabase does. */
function failed(home: string, { error, code, description }: Refusal): Response {
  const said = new URLSearchParams({
    error,
    ...(code ? { error_code: code } : {}),
    error_description: description.slice(0, 200),
  });
  const url = new URL(home);
  url.search = said.toString();
  url.hash = said.toString();
  return redirect(url);
}

function redirect(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}

function cookieIn(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");
const nonceOf = (secret: string) => hashOf(`nonce ${secret}`);
