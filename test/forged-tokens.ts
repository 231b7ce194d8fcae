import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import type { TokenKeys } from "#backend/server-keys.ts";

/** A quarter of a second of CPU, so only where it is used. */
let keys: ReturnType<typeof createRsaKeys> | undefined;
const createRsaKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const rsaKeys = () => {
  keys ??= createRsaKeys();
  return keys;
};
const publicRsaKey = () => rsaKeys().publicKey.export({ type: "spki", format: "pem" }).toString();

export const TEST_KEY_ID = "test";

/** Token keys with one secret, under the key id of the tests. */
export async function tokenKeysOf(secret: string): Promise<TokenKeys> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", Buffer.from(secret), algorithm, false, ["sign", "verify"]);
  return {
    signing: async () => ({ kid: TEST_KEY_ID, key }),
    find: async (kid) => (kid === TEST_KEY_ID ? key : undefined),
  };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

type Claims = Record<string, unknown>;

export type Forger = {
  /** Signs any token, with our secret by default. */
  sign: (changes: Claims, header?: Claims, key?: string) => string;
  /** Invalid and expired tokens of every kind, by name. */
  forgeries: () => [name: string, token: string][];
};

/** Forges tokens from a valid one. `victimId` is another existing user. */
export function forgeFrom(accessToken: string, secret: string, victimId: string): Forger {
  const [head = {}, claims = {}] = accessToken
    .split(".")
    .slice(0, 2)
    .map((part): Claims => JSON.parse(Buffer.from(part, "base64url").toString()));
  const forge = (changes: Claims, header: Claims = {}, key = secret) => {
    const body = `${encode({ ...head, ...header })}.${encode({ ...claims, ...changes })}`;
    return `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
  };
  const unsigned = (alg: string) => `${encode({ ...head, alg })}.${encode(claims)}.`;
  const tampered = (changes: Claims) => {
    const [first, , signature] = forge({}).split(".");
    return [first, encode({ ...claims, ...changes }), signature].join(".");
  };
  const signedByRsa = () => {
    const body = `${encode({ ...head, alg: "RS256" })}.${encode(claims)}`;
    return `${body}.${sign("sha256", Buffer.from(body), rsaKeys().privateKey).toString("base64url")}`;
  };
  return {
    sign: forge,
    forgeries: () => [
      ["A01 alg none", unsigned("none")],
      ["A01 alg NONE", unsigned("NONE")],
      ["A01 an empty signature", unsigned("HS256")],
      ["A02 HS256 keyed with a public RSA key", forge({}, {}, publicRsaKey())],
      ["A02 RS256 by a key of their own", signedByRsa()],
      ["A02 HS512 with our secret", forge({}, { alg: "HS512" })],
      ["A02 another secret", forge({}, {}, "super-secret-jwt-token-with-at-least-32-characters-long")],
      ["A03 an issuer", forge({ iss: "https://evil.example" })],
      ["A04 another audience", forge({ aud: "other" })],
      ["A04 no audience", forge({ aud: undefined })],
      ["A05 expired 61 seconds ago", forge({ exp: seconds(-61) })],
      ["A05 no expiry", forge({ exp: undefined })],
      ["A06 not valid yet", forge({ nbf: seconds(3600) })],
      ["A06 issued in the future", forge({ iat: seconds(3600) })],
      ["A07 no subject", forge({ sub: undefined })],
      ["A07 a subject that is not an id", forge({ sub: "alice" })],
      ["A07 a subject of another type", forge({ sub: [claims.sub] })],
      ["A07 no session", forge({ session_id: undefined })],
      ["A08 a reset link's token", "a".repeat(64)],
      ["A09 no key id", forge({}, { kid: undefined })],
      ["A09 an unknown key id", forge({}, { kid: "0123456789abcdef" })],
      ["A09 a key id that is a property of every object", forge({}, { kid: "__proto__" })],
      ["A09 a key id of another type", forge({}, { kid: [head.kid] })],
      ["A09 a key id that is a path", forge({}, { kid: "../../../../dev/null" }, "")],
      ["A09 a key URL in the header", forge({}, { jku: "https://evil.example/keys" }, "guess")],
      ["A09 a key in the header", forge({}, { jwk: { kty: "oct", k: "eA" } }, "x")],
      ["A09 an unknown critical header", forge({}, { crit: ["evil"], evil: true })],
      ["A10 role service_role, not signed again", tampered({ role: "service_role" })],
      ["A10 role service_role, signed", forge({ role: "service_role" })],
      ["A10 role service_role, signed, without user and session", forge(SERVICE_ROLE)],
      ["A10 role postgres, signed", forge({ role: "postgres" })],
      ["A10 role anon, signed", forge({ role: "anon" })],
      ["A10 another user's id, not signed again", tampered({ sub: victimId })],
      ["A10 another user's id with this session, signed", forge({ sub: victimId })],
      ["a session that does not exist", forge({ session_id: crypto.randomUUID() })],
      ["two parts", forge({}).split(".").slice(0, 2).join(".")],
      ["nonsense", "nonsense"],
    ],
  };
}

const SERVICE_ROLE: Claims = { role: "service_role", sub: undefined, session_id: undefined, aud: undefined };
