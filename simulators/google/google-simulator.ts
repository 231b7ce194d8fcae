// Stands in for Google's sign-in: an OpenID provider with a consent page, written from Google's documents, as strict as
// Google is, that can be told to go wrong. It knows nothing of who asks but what a client registers.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type AuthorizationRequest, checkAuthorization } from "./authorization.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import { type GoogleClient, type GoogleFault, ISSUER } from "./google-client.ts";
import { createGrants } from "./grants.ts";
import { createPeople, type GooglePerson } from "./people.ts";
import { createSigner } from "./signer.ts";

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

export async function startGoogleSimulator(options: {
  port?: number;
  redirectUris: string[];
}): Promise<GoogleSimulator> {
  const client: GoogleClient = { ...CLIENT, redirectUris: options.redirectUris };
  const people = createPeople();
  const state: { fault: GoogleFault | undefined } = { fault: undefined };
  const grants = createGrants({ client, signer: await createSigner() });
  const app = createApp({ client, people, grants, state });
  const server = createAdaptorServer({ fetch: app.fetch, createServer }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", () => resolve());
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    ...CLIENT,
    people: people.all,
    addPerson: people.add,
    fault: () => state.fault,
    setFault: (fault) => {
      state.fault = fault;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Parts = {
  client: GoogleClient;
  people: ReturnType<typeof createPeople>;
  grants: ReturnType<typeof createGrants>;
  state: { fault: GoogleFault | undefined };
};

function createApp(parts: Parts): Hono {
  const { client, people, grants } = parts;
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
    context.res.headers.set("referrer-policy", "no-referrer");
  });
  app.get("/", (context) => context.redirect("/.well-known/openid-configuration"));
  app.get("/.well-known/openid-configuration", (context) =>
    context.json(discovery(new URL(context.req.url).origin)),
  );
  app.get("/o/oauth2/v2/auth", (context) => {
    const asked = checkAuthorization(new URL(context.req.url).searchParams, client);
    return asked.ok
      ? context.html(consentPage(asked.request, people.all()))
      : context.html(errorPage(asked), 400);
  });
  app.post("/o/oauth2/v2/auth", (context) => decide(context, parts));
  app.post("/token", async (context) => {
    const { status, body } = await grants.exchange({
      form: await context.req.formData().catch(() => new FormData()),
      contentType: context.req.header("content-type"),
    });
    return context.json(body, status);
  });
  app.get("/oauth2/v3/certs", (context) => context.json(grants.keys()));
  for (const path of ["/userinfo/v2/me", "/v1/userinfo"]) {
    app.get(path, (context) => {
      const claims = grants.userinfo(context.req.header("authorization"));
      return claims
        ? context.json(claims)
        : context.json({ error: "invalid_token" }, 401, { "www-authenticate": "Bearer" });
    });
  }
  return app;
}

/** What the person pressed on the consent page. */
async function decide(context: Context, { client, people, grants, state }: Parts): Promise<Response> {
  const asked = checkAuthorization(new URL(context.req.url).searchParams, client);
  if (!asked.ok) return context.html(errorPage(asked), 400);
  const form = await context.req.formData();
  const fault = state.fault;
  if (form.get("decision") === "cancel") return back(context, asked.request, { error: "access_denied" });
  const email = String(form.get("email") ?? "").trim();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    return context.html(consentPage(asked.request, people.all(), "Enter an e-mail address."), 400);
  }
  state.fault = undefined;
  if (fault === "refused") return back(context, asked.request, { error: "server_error" });
  const person = people.find(email) ?? people.add({ email });
  const code = grants.issueCode({ request: asked.request, person, fault });
  return back(context, asked.request, { code }, fault === "wrong-state" ? crypto.randomUUID() : undefined);
}

function back(
  context: Context,
  request: AuthorizationRequest,
  answer: Record<string, string>,
  wrongState?: string,
): Response {
  const url = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  const state = wrongState ?? request.state;
  if (state !== undefined) url.searchParams.set("state", state);
  if (answer.code) url.searchParams.set("scope", request.scopes.join(" "));
  return context.redirect(url.href, 302);
}

function discovery(origin: string) {
  return {
    issuer: ISSUER,
    authorization_endpoint: `${origin}/o/oauth2/v2/auth`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/v1/userinfo`,
    jwks_uri: `${origin}/oauth2/v3/certs`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "email", "profile"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["plain", "S256"],
    grant_types_supported: ["authorization_code"],
  };
}
