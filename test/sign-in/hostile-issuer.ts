import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { exportJWK, generateKeyPair } from "jose";
import { listenOnLoopback } from "#simulators/listen-on-loopback.ts";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
type Algorithm = "RS256" | "ES256" | "EdDSA";

/** An OpenID provider that answers the token request with what the test tells it, and lists algorithms it should not. */
export interface HostileIssuer {
  readonly url: string;
  readonly keys: Readonly<Record<Algorithm, { kid: string; pair: KeyPair }>>;
  /** The answer to the next token requests. */
  answer: Record<string, unknown>;
  /** The token requests so far. */
  readonly requests: URLSearchParams[];
  /** How often the keys were fetched. */
  keyRequests: number;
  rotate(algorithm: Algorithm): Promise<void>;
  stop(): Promise<void>;
}

const ALGORITHMS: readonly Algorithm[] = ["RS256", "ES256", "EdDSA"];

export async function startHostileIssuer(): Promise<HostileIssuer> {
  const app = new Hono();
  const { port, stop } = await listenOnLoopback(getRequestListener((request) => app.fetch(request)));
  const url = `http://localhost:${port}`;
  const keys = Object.fromEntries(
    await Promise.all(ALGORITHMS.map(async (name) => [name, await createKey(name)])),
  ) as Record<Algorithm, { kid: string; pair: KeyPair }>;
  const issuer: HostileIssuer = {
    ...{ url, keys, answer: {}, requests: [], keyRequests: 0, stop },
    rotate: async (algorithm) => {
      keys[algorithm] = await createKey(algorithm);
    },
  };
  app.get("/.well-known/openid-configuration", (context) =>
    context.json({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      id_token_signing_alg_values_supported: [...ALGORITHMS, "HS256", "none"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    }),
  );
  app.get("/keys", async (context) => {
    issuer.keyRequests += 1;
    // Without `alg`, so that the same RSA key also verifies PS256.
    const published = ALGORITHMS.map(async (name) => ({
      ...(await exportJWK(keys[name].pair.publicKey)),
      kid: keys[name].kid,
    }));
    return context.json({ keys: await Promise.all(published) });
  });
  app.post("/token", async (context) => {
    issuer.requests.push(new URLSearchParams(await context.req.text()));
    return context.json({ access_token: "any", token_type: "Bearer", expires_in: 3600, ...issuer.answer });
  });
  return issuer;
}

async function createKey(algorithm: Algorithm) {
  return { kid: crypto.randomUUID(), pair: await generateKeyPair(algorithm, { extractable: true }) };
}
