import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

let world: TestAuth;
const failures: unknown[] = [];

beforeAll(async () => {
  world = await startTestAuth({ onBackgroundError: (error) => failures.push(error) });
});

afterAll(() => world.stop());

const password = "violet-harbour-27";

test("READ-07 account events are recorded with session, address and browser", async () => {
  const email = "alice@example.com";
  const { client } = world.createClient();
  const { data } = await client.auth.signUp({ email, password });
  const other = world.createClient().client;
  await other.auth.signInWithPassword({ email, password: "not-hers" });
  await other.auth.signInWithPassword({ email: "nobody@example.com", password: "any-password" });
  await other.auth.signInWithPassword({ email, password });
  await client.auth.updateUser({ password: "amber-lantern-41", current_password: password });
  await client.auth.resetPasswordForEmail(email);
  await world.auth.idle();
  await other.auth.verifyOtp({ token_hash: world.mails.at(-1)?.tokenHash ?? "", type: "recovery" });
  await other.auth.signOut({ scope: "global" });
  await world.auth.idle();
  expect(world.events.map(({ kind }) => kind)).toEqual([
    "sign_up",
    "wrong_password",
    "sign_in",
    "password_changed",
    "password_reset",
    "session_ended",
    "session_ended",
  ]);
  for (const event of world.events) {
    expect(event).toMatchObject({ userId: data.user?.id, address: expect.stringMatching(/^10\./) });
    expect(event.sessionId === undefined).toBe(event.kind === "wrong_password");
    expect(event).toHaveProperty("userAgent");
  }
});

test("a failure to record an event is logged, and the sign-in succeeds", async () => {
  const failing = await startTestAuth({
    onEvent: async () => {
      throw new Error("no room");
    },
    onBackgroundError: (error) => failures.push(error),
  });
  const { error } = await failing.createClient().client.auth.signUp({ email: "bob@example.com", password });
  await failing.auth.idle();
  expect([error, failures]).toEqual([null, [new Error("no room")]]);
  await failing.stop();
});
