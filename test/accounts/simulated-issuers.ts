// Google and Telegram as OpenID providers without a network: the code that a person gets at the consent page is the claims.
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export const ISSUERS = { google: "https://google.example", telegram: "https://telegram.example" } as const;
export const CLIENT_ID = "7000000001";

export type ProviderPerson = { sub: string; claims: Record<string, unknown>; scope: string };

/** What the consent page returns to the product for this person. */
export function consentOf(authorizationUrl: string, person: ProviderPerson): string {
  const asked = new URL(authorizationUrl).searchParams;
  const code = Buffer.from(JSON.stringify({ ...person, nonce: asked.get("nonce") })).toString("base64url");
  const answer = { state: asked.get("state") ?? "", code, iss: new URL(authorizationUrl).origin };
  return `/auth/v1/callback?${new URLSearchParams(answer)}`;
}

/** Answers the product's requests to both providers. */
export async function createIssuers(): Promise<typeof fetch> {
  const pair = await generateKeyPair("ES256");
  const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "one", use: "sig", alg: "ES256" }] };
  const tokensFor = async (issuer: string, code: string) => {
    const { sub, claims, scope, nonce } = JSON.parse(Buffer.from(code, "base64url").toString());
    const idToken = new SignJWT({ ...claims, nonce })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(issuer)
      .setSubject(sub)
      .setAudience(CLIENT_ID)
      .setIssuedAt()
      .setExpirationTime("1h");
    const id_token = await idToken.sign(pair.privateKey);
    return { access_token: "any", token_type: "Bearer", expires_in: 3600, scope, id_token };
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname } = new URL(request.url);
    if (pathname === "/keys") return Response.json(keys);
    if (pathname === "/.well-known/openid-configuration") return Response.json(discoveryOf(origin));
    const form = new URLSearchParams(await request.text());
    return Response.json(await tokensFor(origin, form.get("code") ?? ""));
  };
}

const discoveryOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  id_token_signing_alg_values_supported: ["ES256"],
  token_endpoint_auth_methods_supported: ["client_secret_post"],
  authorization_response_iss_parameter_supported: false,
});
