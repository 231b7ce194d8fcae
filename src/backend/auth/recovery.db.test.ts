import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

const MINUTE = 60_000;
const PASSWORD = "violet-harbour-27";

let world: TestAuth;
let people = 0;
let email = "";

beforeAll(async () => {
  world = await startTestAuth();
});

afterAll(() => world.stop());

beforeEach(async () => {
  people += 1;
  email = `ana-${people}@example.com`;
  expect((await world.createClient().client.auth.signUp({ email, password: PASSWORD })).error).toBeNull();
});

const tokens = () =>
  world.mails.filter(({ to, kind }) => to === email && kind === "recovery").map((mail) => mail.tokenHash);

async function askForReset(address = email) {
  expect((await world.createClient().client.auth.resetPasswordForEmail(address)).error).toBeNull();
  await world.auth.idle();
}

async function open(token_hash = "") {
  const { client } = world.createClient();
  const { data, error } = await client.auth.verifyOtp({ token_hash, type: "recovery" });
  return { client, session: data.session, code: error?.code };
}

test("TIME-06 a stranger's requests neither end an earlier link nor mail more than twelve times a day", async () => {
  for (let minute = 0; minute < 60; minute += 1) {
    await askForReset(minute % 2 ? email.replace("@", `+${minute}@`) : email);
    world.clock.advance(MINUTE / 2);
  }
  expect(tokens().length).toBeLessThanOrEqual(12);
  expect(tokens().length).toBeGreaterThan(3);
  const early = tokens().at(-3);
  expect((await open(early)).session).not.toBeNull();
});

test("TIME-01 the use of one link ends the others, and a new password ends all", async () => {
  for (let n = 0; n < 3; n += 1) {
    await askForReset();
    world.clock.advance(MINUTE);
  }
  const [first, second] = tokens();
  const { client } = await open(first);
  expect((await open(second)).code).toBe("otp_expired");
  await askForReset();
  expect((await client.auth.updateUser({ password: "amber-lantern-41" })).error).toBeNull();
  expect((await open(tokens().at(-1))).code).toBe("otp_expired");
});

test("RESET-09 a link works for an hour", async () => {
  await askForReset();
  world.clock.advance(60 * MINUTE);
  expect((await open(tokens()[0])).code).toBe("otp_expired");
});

test("READ-10 opening a reset link alone proves nothing: the new password does", async () => {
  await askForReset();
  const { client } = await open(tokens()[0]);
  const proved = async () => (await client.auth.getUser()).data.user?.email_confirmed_at !== undefined;
  expect(await proved()).toBe(false);
  expect((await client.auth.updateUser({ password: "amber-lantern-41" })).error).toBeNull();
  expect(await proved()).toBe(true);
});
