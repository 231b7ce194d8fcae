import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HostileIssuer, startHostileIssuer } from "#test/sign-in/hostile-issuer.ts";
import { createIdTokenCheck } from "./id-token.ts";
import { googleProvider, telegramProvider } from "./providers.ts";

let issuer: HostileIssuer;
beforeAll(async () => {
  issuer = await startHostileIssuer();
});
afterAll(() => issuer.stop());

const settings = { clientId: "client", clientSecret: "any" };

test.each([
  [googleProvider(settings), { nonce: "sent" }, true],
  [googleProvider(settings), {}, false],
  [googleProvider(settings), { nonce: "other" }, false],
  [telegramProvider(settings), { nonce: "sent" }, true],
  [telegramProvider(settings), {}, true],
  [telegramProvider(settings), { nonce: "other" }, false],
])("TIME-09 START-08 an ID token of $name with %o: accepted: %s", async (provider, claims, isAccepted) => {
  const server = { issuer: issuer.url, id_token_signing_alg_values_supported: ["RS256"] };
  const check = createIdTokenCheck(server, new URL(`${issuer.url}/keys`), provider);
  const { kid, pair } = issuer.keys.RS256;
  const idToken = await new SignJWT({ aud: "client", sub: "someone", ...claims })
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuer(issuer.url)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(pair.privateKey);
  const checked = await check(idToken, "sent").then(
    () => true,
    () => false,
  );
  expect(checked).toBe(isAccepted);
});
