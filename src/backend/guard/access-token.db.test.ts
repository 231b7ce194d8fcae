import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Person, signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const SECRET = "a-secret-that-only-this-test-and-its-server-know";
const KEYS = generateKeyPairSync("rsa", { modulusLength: 2048 });

let product: TestProduct;
let alice: Person;
let claims: Record<string, unknown>;

beforeAll(async () => {
  product = await startTestProduct({ JWT_SECRET: SECRET });
  alice = await signUp(product, "alice");
  const token = (await alice.client.auth.getSession()).data.session?.access_token ?? "";
  claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
});

afterAll(() => product.stop());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

/** A token as an attacker, or a mistake of ours, could make it. */
function token(
  changes: Record<string, unknown>,
  header: Record<string, unknown> = {},
  secret: string = SECRET,
): string {
  const head = encode({ alg: "HS256", typ: "JWT", ...header });
  const body = `${head}.${encode({ ...claims, ...changes })}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

function signedByRsa(): string {
  const body = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${body}.${sign("sha256", Buffer.from(body), KEYS.privateKey).toString("base64url")}`;
}

const unsigned = (alg: string) => `${encode({ alg, typ: "JWT" })}.${encode(claims)}.`;
const publicKey = KEYS.publicKey.export({ type: "spki", format: "pem" }).toString();

async function statuses(bearer: string) {
  const headers = { apikey: product.publishableKey, authorization: `Bearer ${bearer}` };
  const [user, rows, functions] = await Promise.all([
    fetch(`${product.url}/auth/v1/user`, { headers }),
    fetch(`${product.url}/rest/v1/profiles?select=id`, { headers }),
    fetch(`${product.url}/rest/v1/rpc/export_my_data`, { method: "POST", headers }),
  ]);
  return [user.status, rows.status, functions.status, await joinStatus(bearer)];
}

/** What realtime answers a channel that shows this token. */
function joinStatus(bearer: string): Promise<string> {
  const url = `${product.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${product.publishableKey}&vsn=1.0.0`;
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => {
      const payload = { config: { postgres_changes: [] }, access_token: bearer };
      socket.send(
        JSON.stringify({ topic: "realtime:any", event: "phx_join", payload, ref: "1", join_ref: "1" }),
      );
    });
    socket.on("message", (message) => {
      const { event, payload } = JSON.parse(String(message));
      if (event !== "phx_reply") return;
      socket.close();
      resolve(payload.status);
    });
  });
}

test("a token as the auth service made it opens auth, data and realtime", async () => {
  expect(await statuses(token({}))).toEqual([200, 200, 200, "ok"]);
});

test.each([
  ["A01 alg none", () => unsigned("none")],
  ["A01 alg NONE", () => unsigned("NONE")],
  ["A01 an empty signature", () => unsigned("HS256")],
  ["A02 HS256 keyed with a public RSA key", () => token({}, {}, publicKey)],
  ["A02 RS256 by a key of their own", signedByRsa],
  ["A02 HS512 with our secret", () => token({}, { alg: "HS512" })],
  ["A03 an issuer", () => token({ iss: "https://evil.example" })],
  ["A04 another audience", () => token({ aud: "other" })],
  ["A04 no audience", () => token({ aud: undefined })],
  ["A05 expired 61 seconds ago", () => token({ exp: seconds(-61) })],
  ["A05 no end", () => token({ exp: undefined })],
  ["A06 not valid yet", () => token({ nbf: seconds(3600) })],
  ["A06 issued in the future", () => token({ iat: seconds(3600) })],
  ["A07 no subject", () => token({ sub: undefined })],
  ["A07 a subject that is no id", () => token({ sub: "alice" })],
  ["A07 a subject of another type", () => token({ sub: [claims.sub] })],
  ["A07 no session", () => token({ session_id: undefined })],
  ["A08 a reset link's token", () => "a".repeat(64)],
  ["A09 a key id that is a path", () => token({}, { kid: "../../../../dev/null" }, "")],
  ["A09 a key address of their own", () => token({}, { jku: "https://evil.example/keys" }, "guess")],
  ["A09 a key of their own in the header", () => token({}, { jwk: { kty: "oct", k: "eA" } }, "x")],
  ["A09 a critical header nobody knows", () => token({}, { crit: ["evil"], evil: true })],
  ["A10 role service_role, not signed anew", () => tampered({ role: "service_role" })],
  ["A10 role service_role, signed", () => token({ role: "service_role" })],
  ["A10 role postgres, signed", () => token({ role: "postgres" })],
  ["A10 role anon, signed", () => token({ role: "anon" })],
  ["A10 somebody else's id, not signed anew", () => tampered({ sub: crypto.randomUUID() })],
  ["A10 somebody else's id under this session, signed", () => token({ sub: crypto.randomUUID() })],
  ["a session that is not there", () => token({ session_id: crypto.randomUUID() })],
  ["two parts", () => token({}).split(".").slice(0, 2).join(".")],
  ["nonsense", () => "nonsense"],
])("%s opens nothing", async (_, make) => {
  expect(await statuses(make())).toEqual([403, 401, 401, "error"]);
});

function tampered(changes: Record<string, unknown>): string {
  const [head, , signature] = token({}).split(".");
  return [head, encode({ ...claims, ...changes }), signature].join(".");
}

test("A08 neither a refresh token nor the publishable key stands in for a person", async () => {
  const session = (await alice.client.auth.getSession()).data.session;
  expect(await statuses(session?.refresh_token ?? "")).toEqual([403, 401, 401, "error"]);
  const [user, rows, functions] = await statuses(product.publishableKey);
  expect([user, rows, functions]).toEqual([401, 401, 401]);
});

test("A13 after signing out the access token opens nothing, though its time is not up", async () => {
  const bob = await signUp(product, "bob");
  const bearer = (await bob.client.auth.getSession()).data.session?.access_token ?? "";
  expect(await statuses(bearer)).toEqual([200, 200, 200, "ok"]);
  await bob.client.auth.signOut();
  expect(await statuses(bearer)).toEqual([403, 401, 401, "error"]);
  const answer = await fetch(`${product.url}/auth/v1/user`, {
    method: "PUT",
    headers: {
      apikey: product.publishableKey,
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ password: "stolen-password" }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    403,
    expect.objectContaining({ error_code: "session_not_found" }),
  ]);
  const signIn = await product.createClient().auth.signInWithPassword({
    email: bob.email,
    password: "bob-password",
  });
  expect(signIn.error).toBeNull();
});
