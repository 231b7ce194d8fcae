import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { TEST_KEY_ID, tokenKeysOf } from "#test/forged-tokens.ts";
import { createAccessTokenCheck } from "./access-token.ts";

const secret = "a-secret-for-tests-of-at-least-32-bytes";
const id = "a11ce000-0000-4000-8000-000000000001";

test("DOOR-02 READ-06 a cached token is refused as soon as its session, its key or its lifetime ends", async () => {
  let now = Date.parse("2026-01-01T10:00:00Z");
  let isAlive = true;
  const keys = await tokenKeysOf(secret);
  let isHonoured = true;
  const find = async (kid: string) => (isHonoured ? keys.find(kid) : undefined);
  const check = createAccessTokenCheck({
    keys: { ...keys, find },
    hasSession: async () => isAlive,
    now: () => now,
  });
  const token = await new SignJWT({ role: "authenticated", session_id: id, sub: id, aud: "authenticated" })
    .setProtectedHeader({ alg: "HS256", kid: TEST_KEY_ID })
    .setIssuedAt(now / 1000)
    .setExpirationTime(now / 1000 + 3600)
    .sign(new TextEncoder().encode(secret));
  const seen = await check(token);
  expect(seen).toMatchObject({ ok: true, bearer: { userId: id, sessionId: id } });
  expect(await check(token)).toEqual(seen);
  isAlive = false;
  expect(await check(token)).toEqual({ ok: false, reason: "session_ended" });
  isAlive = true;
  isHonoured = false;
  expect(await check(token)).toEqual({ ok: false, reason: "invalid" });
  isHonoured = true;
  expect(await check(`${token.slice(0, -2)}xx`)).toEqual({ ok: false, reason: "invalid" });
  now += 3_599_000;
  expect(await check(token)).toEqual(seen);
  now += 1_000;
  expect(await check(token)).toEqual({ ok: false, reason: "expired" });
});
