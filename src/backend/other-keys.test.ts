import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { createKeyTranslator } from "./other-keys.ts";
import type { OtherKey } from "./server-keys.ts";

const ours = { jwtSecret: "our-secret-".repeat(4), publishableKey: "sb_publishable_ours" };
const OTHER = "another-secret-".repeat(3);
const secretOf = (text: string) => new TextEncoder().encode(text);
const signedBy = (secret: string) =>
  new SignJWT({ sub: "alice", role: "authenticated" })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(secretOf(secret));

function setUp() {
  const state = { nowMs: 0, reads: 0, honoured: [] as OtherKey[] };
  const keys = createKeyTranslator({
    ours,
    readHonoured: async () => {
      state.reads += 1;
      return state.honoured;
    },
    now: () => state.nowMs,
  });
  return { state, keys };
}

test("SERV-02 SERV-06 a token of another process's key is ours word for word, from the second after the key came until its end", async () => {
  const { state, keys } = setUp();
  const token = await signedBy(OTHER);
  expect(await keys.token(token)).toBe(token);
  state.honoured = [{ name: "jwt_secret", value: OTHER, secondsLeft: 10 }];
  expect(await keys.token(token)).toBe(token);
  state.nowMs = 1_000;
  expect(await keys.token(token)).toBe(await signedBy(ours.jwtSecret));
  state.nowMs = 10_500;
  state.honoured = [{ name: "jwt_secret", value: OTHER, secondsLeft: 0.5 }];
  await keys.url("/x?apikey=sb_publishable_unknown");
  expect(await keys.token(token)).toBe(await signedBy(ours.jwtSecret));
  // Its time is over by what was read of it last.
  state.nowMs = 11_000;
  expect(await keys.token(token)).toBe(token);
});

test("SERV-06 with a key of its own nobody costs a read, and whoever makes up keys costs one a second", async () => {
  const { state, keys } = setUp();
  const own = await signedBy(ours.jwtSecret);
  expect(await keys.token(own)).toBe(own);
  expect(await keys.url("/realtime/v1/websocket?apikey=sb_publishable_ours")).toContain("ours");
  expect(state.reads).toBe(0);
  const made = await signedBy("made-up-".repeat(5));
  const tampered = own.replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"bob"}').toString("base64url")}.`);
  for (const text of [made, tampered, "no.token.at-all", "", "a".repeat(9_000)]) {
    expect(await keys.token(text)).toBe(text);
  }
  for (let n = 0; n < 50; n += 1) await keys.url(`/x?apikey=sb_publishable_${n}`);
  expect(state.reads).toBe(1);
  state.nowMs = 1_000;
  await Promise.all(Array.from({ length: 50 }, (_, n) => keys.url(`/x?apikey=sb_publishable_${n}`)));
  expect(state.reads).toBe(2);
});

test("SERV-06 the key of a page that was loaded before is taken for ours, in headers and in a live connection's address", async () => {
  const { state, keys } = setUp();
  state.honoured = [{ name: "publishable_key", value: "sb_publishable_old", secondsLeft: null }];
  const headers = { apikey: "sb_publishable_old", authorization: "Bearer sb_publishable_old" };
  const request = await keys.request(new Request("http://localhost/auth/v1/user", { headers }));
  expect([request.headers.get("apikey"), request.headers.get("authorization")]).toEqual([
    ours.publishableKey,
    `Bearer ${ours.publishableKey}`,
  ]);
  expect(await keys.url("/realtime/v1/websocket?apikey=sb_publishable_old&vsn=1.0.0")).toBe(
    "/realtime/v1/websocket?apikey=sb_publishable_ours&vsn=1.0.0",
  );
});
