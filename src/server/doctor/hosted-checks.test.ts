import { expect, test } from "vitest";
import { listenOnLoopback } from "#simulators/listen-on-loopback.ts";
import { checkSupabase } from "./hosted-checks.ts";

const GOOD = { external: { email: true }, disable_signup: false, mailer_autoconfirm: false };

/** Asks a project with these settings; `providers` are those it can begin a sign-in with. */
async function check(settings: object, { providers = [] as string[], isTelegramOffered = false } = {}) {
  const project = await listenOnLoopback((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    if (request.headers.apikey !== "sb_publishable_key") response.writeHead(401).end();
    else if (url.pathname === "/auth/v1/settings") response.end(JSON.stringify(settings));
    else response.writeHead(providers.includes(url.searchParams.get("provider") ?? "") ? 302 : 400).end();
  });
  const found = await checkSupabase({
    SUPABASE_URL: `http://127.0.0.1:${project.port}`,
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key",
    HOSTED_TELEGRAM_LOGIN: isTelegramOffered ? "on" : "off",
  });
  await project.stop();
  return found;
}

test("a project that fits is fine, and the finding says what cannot be seen from outside", async () => {
  const found = await check(GOOD);
  expect(found.state).toBe("ok");
  expect(found.words).toMatch(/SMTP, the required current password/);
  const offered = { isTelegramOffered: true, providers: ["custom:telegram"] };
  expect((await check(GOOD, offered)).state).toBe("ok");
});

test.each([
  [{ ...GOOD, external: { email: false } }, /email provider is off/],
  [{ ...GOOD, disable_signup: true }, /no new sign-ups/],
  [{ ...GOOD, mailer_autoconfirm: true }, /turn Confirm email on/],
])("a project with %j is wrong", async (settings, words) => {
  expect(await check(settings)).toMatchObject({ state: "wrong", words: expect.stringMatching(words) });
});

test("an offered sign-in with Telegram needs its provider in the project", async () => {
  const found = await check(GOOD, { isTelegramOffered: true });
  expect(found).toMatchObject({ state: "wrong", words: expect.stringContaining("custom:telegram") });
});
