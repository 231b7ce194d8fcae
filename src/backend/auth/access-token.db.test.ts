import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Person, signUp } from "#test/cast.ts";
import { type Forger, forgeFrom } from "#test/forged-tokens.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const SECRET = "a-secret-that-only-this-test-and-its-server-know";

let product: TestProduct;
let alice: Person;
let forger: Forger;

beforeAll(async () => {
  product = await startTestProduct({ JWT_SECRET: SECRET });
  alice = await signUp(product, "alice");
  const token = (await alice.client.auth.getSession()).data.session?.access_token ?? "";
  forger = forgeFrom(token, SECRET, (await signUp(product, "victim")).id);
});

afterAll(() => product.stop());

async function statuses(bearer: string) {
  const headers = { apikey: product.publishableKey, authorization: `Bearer ${bearer}` };
  const [user, rows, functions] = await Promise.all([
    fetch(`${product.url}/auth/v1/user`, { headers }),
    fetch(`${product.url}/rest/v1/profiles?select=id`, { headers }),
    fetch(`${product.url}/rest/v1/rpc/export_my_data`, { method: "POST", headers }),
  ]);
  return [user.status, rows.status, functions.status, await joinStatus(bearer)];
}

/** How realtime answers a join with this token. */
function joinStatus(bearer: string): Promise<string> {
  const url = `${product.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${product.publishableKey}&vsn=1.0.0`;
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => {
      const payload = {
        config: { postgres_changes: [{ event: "*", schema: "public", table: "searches" }] },
        access_token: bearer,
      };
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

test("a valid access token works for auth, data and realtime", async () => {
  expect(await statuses(forger.sign({}))).toEqual([200, 200, 200, "ok"]);
});

test("A01 to A10 forged, foreign and stale tokens are refused everywhere", async () => {
  for (const [name, token] of forger.forgeries()) {
    expect([name, ...(await statuses(token))]).toEqual([name, 403, 401, 401, "error"]);
  }
});

test("A08 neither a refresh token nor the publishable key identifies a person", async () => {
  const session = (await alice.client.auth.getSession()).data.session;
  expect(await statuses(session?.refresh_token ?? "")).toEqual([403, 401, 401, "error"]);
  const [user, rows, functions] = await statuses(product.publishableKey);
  expect([user, rows, functions]).toEqual([401, 401, 401]);
});

test("A13 after sign-out the access token is refused, although it has not expired", async () => {
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
