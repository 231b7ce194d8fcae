// Simulates Google's sign-in: an OpenID provider with a consent page, written from Google's documentation, as strict as
// Google, with faults on demand. It knows only registered clients, nothing about the product.
import { createHash } from "node:crypto";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import { type AuthorizationRequest, checkAuthorization } from "./authorization.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import type { GoogleClient, GoogleFault, GooglePerson } from "./google-client.ts";
import { createGrants } from "./grants.ts";

export type GoogleSimulator = {
  url: string;
  clientId: string;
  clientSecret: string;
  people: () => GooglePerson[];
  addPerson: (person: { email: string; name?: string; isVerified?: boolean }) => GooglePerson;
  fault: () => GoogleFault | undefined;
  setFault: (fault: GoogleFault | undefined) => void;
  stop: () => Promise<void>;
};

const CLIENT = {
  clientId: "sereno-simulator.apps.googleusercontent.com",
  clientSecret: "simulated-google-secret",
};

export async function startGoogleSimulator(options: { redirectUris: string[] }): Promise<GoogleSimulator> {
  const client: GoogleClient = { ...CLIENT, redirectUris: options.redirectUris };
  const app = new Hono();
  // Tokens and the discovery document contain the URL, so the server listens before its routes are created.
  const { port, stop } = await listenOnLoopback(getRequestListener((request) => app.fetch(request)));
  const url = `http://localhost:${port}`;
  const grants = await createGrants(client, url);
  const people = new Map<string, GooglePerson>();
  let fault: GoogleFault | undefined;
  const simulator: Omit<GoogleSimulator, "url" | "stop"> = {
    ...CLIENT,
    people: () => [...people.values()],
    addPerson: ({ email, name, isVerified = true }) => {
      const person = { sub: subOf(email), email, name: name || nameFrom(email), isVerified };
      people.set(person.sub, person);
      return person;
    },
    fault: () => fault,
    setFault: (next) => {
      fault = next;
    },
  };
  simulator.addPerson({ email: "lucia.ortega@gmail.example", name: "Lucía Ortega" });
  simulator.addPerson({ email: "tom.baker@gmail.example", name: "Tom Baker" });
  simulator.addPerson({ email: "unverified@company.example", name: "Nadia Petrova", isVerified: false });

  /** Handles the button pressed on the consent page. */
  const decide = async (context: Context, request: AuthorizationRequest): Promise<Response> => {
    const form = await context.req.parseBody();
    const answer = (said: Record<string, string>) => back(context, request, { ...said, iss: url });
    if (form.decision === "cancel") return answer({ error: "access_denied" });
    const email = String(form.email ?? "").trim();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      return context.html(consentPage(request, simulator.people(), "Enter an e-mail address."), 400);
    }
    const struck = fault;
    fault = undefined;
    if (struck === "refused") return answer({ error: "server_error" });
    const person = people.get(subOf(email)) ?? simulator.addPerson({ email });
    const code = grants.issueCode({ request, person, fault: struck });
    const state = struck === "wrong-state" ? crypto.randomUUID() : request.state;
    // What Google adds for itself: https://developers.google.com/identity/openid-connect/openid-connect#confirmxsrftoken
    const extras = { scope: request.scopes.join(" "), authuser: "0", prompt: "none", hd: "gmail.example" };
    return back(context, { ...request, state }, { iss: url, code, ...extras });
  };

  app.use(async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
    context.res.headers.set("referrer-policy", "no-referrer");
  });
  app.get("/.well-known/openid-configuration", (context) => context.json(discoveryOf(url)));
  app.on(["GET", "POST"], "/o/oauth2/v2/auth", (context) => {
    const asked = checkAuthorization(new URL(context.req.url).searchParams, client);
    if (!asked.ok) return context.html(errorPage(asked), 400);
    if (context.req.method === "POST") return decide(context, asked.request);
    return context.html(consentPage(asked.request, simulator.people()));
  });
  app.post("/token", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const { status, body } = await grants.exchange(withBasic(form, context.req.header("authorization")));
    return context.json(body, status);
  });
  app.get("/v1/userinfo", (context) => {
    const claims = grants.userinfo(context.req.header("authorization") ?? "");
    return claims ? context.json(claims) : context.json({ error: "invalid_token" }, 401);
  });
  app.get("/oauth2/v3/certs", (context) => context.json(grants.keys));
  return { ...simulator, url, stop };
}

/** Like https://accounts.google.com/.well-known/openid-configuration, with every endpoint at this URL. */
function discoveryOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/v1/userinfo`,
    jwks_uri: `${issuer}/oauth2/v3/certs`,
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "email", "profile"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    claims_supported: [
      "aud",
      "email",
      "email_verified",
      "exp",
      "family_name",
      "given_name",
      "iat",
      "iss",
      "name",
      "picture",
      "sub",
    ],
    code_challenge_methods_supported: ["plain", "S256"],
    grant_types_supported: ["authorization_code"],
  };
}

/** The client's id and secret are taken from the form or from the header (`client_secret_basic`). */
function withBasic(form: URLSearchParams, authorization = ""): URLSearchParams {
  const [, encoded] = /^Basic (.+)$/.exec(authorization) ?? [];
  if (encoded === undefined) return form;
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString().split(":").map(decodeURIComponent);
  return new URLSearchParams([...form, ["client_id", id], ["client_secret", secret]]);
}

function back(context: Context, request: AuthorizationRequest, answer: Record<string, string>): Response {
  const url = new URL(request.redirectUri);
  const state = request.state === undefined ? {} : { state: request.state };
  for (const [name, value] of Object.entries({ ...answer, ...state })) url.searchParams.set(name, value);
  return context.redirect(url.href, 302);
}

/** Like Google's: 21 digits, derived from the address, so that an account keeps its id after a restart. */
function subOf(email: string): string {
  const hash = createHash("sha256").update(email.toLowerCase()).digest();
  return `1${(hash.readBigUInt64BE(0) % 10n ** 20n).toString().padStart(20, "0")}`;
}

function nameFrom(email: string): string {
  const words = (email.split("@")[0] ?? "").split(/[._+-]+/).filter(Boolean);
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(" ") || email;
}
