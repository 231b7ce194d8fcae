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

test("TIME-06 what a stranger asks for other spellings of a mailbox keeps nobody from resetting by mail", async () => {
  // Spellings without an account.
  for (let minute = 0; minute < 15; minute += 1) {
    await askForReset(email.replace("@", `+${minute}@`));
    world.clock.advance(MINUTE);
  }
  await askForReset();
  expect(tokens()).toHaveLength(1);
  // And with accounts of the stranger's: a proved address has mails of its own.
  const { client } = await open(tokens()[0]);
  expect((await client.auth.updateUser({ password: "amber-lantern-41" })).error).toBeNull();
  const spellings = Array.from({ length: 15 }, (_, n) => email.replace("@", `+squatted-${n}@`));
  for (const spelling of spellings) {
    await world.createClient().client.auth.signUp({ email: spelling, password: PASSWORD });
    await askForReset(spelling);
    world.clock.advance(MINUTE);
  }
  const toSpellings = world.mails.filter(({ to, kind }) => spellings.includes(to) && kind === "recovery");
  expect(toSpellings.length).toBeLessThanOrEqual(12);
  await askForReset();
  expect(tokens()).toHaveLength(2);
});

test.each(["others", "global"] as const)(
  "TIME-01 somebody who knows the password cannot end the owner's reset links by signing out again and again (%s)",
  async (scope) => {
    const works: boolean[] = [];
    for (let round = 0; round < 3; round += 1) {
      await askForReset();
      const { client } = world.createClient();
      expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
      expect((await client.auth.signOut({ scope })).error).toBeNull();
      works.push((await open(tokens().at(-1))).session !== null);
      world.clock.advance(MINUTE);
    }
    // A sign-out ends a link that is on its way, but not each.
    expect(works).toEqual([false, true, true]);
  },
);

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
