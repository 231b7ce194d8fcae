import { afterAll, beforeAll, expect, test } from "vitest";
import { type GoogleSimulator, startGoogleSimulator } from "#simulators/google/google-simulator.ts";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { googleProvider } from "./providers.ts";

let google: GoogleSimulator;
let world: TestAuth;
const errors: unknown[] = [];

beforeAll(async () => {
  google = await startGoogleSimulator({ redirectUris: ["http://localhost:3000/auth/v1/callback"] });
  world = await startTestAuth({
    providers: [googleProvider(google)],
    onBackgroundError: (error) => void errors.push(error),
  });
});

afterAll(async () => {
  await world.stop();
  await google.stop();
});

const visit = (path: string, cookie = "") => world.send(path, { method: "GET", headers: { cookie } });

const errorOf = (answer: Response) => {
  const url = new URL(answer.headers.get("location") ?? "");
  return [answer.status, url.origin, url.searchParams.get("error_code")];
};

test("TIME-02 a browser that navigates to the auth service never ends on a page of JSON", async () => {
  const begun = await visit("authorize?provider=google");
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const { sql } = world.database;
  const site = "http://localhost:3000";
  await sql`alter table auth.flow_state rename to gone`;
  expect(errorOf(await visit("authorize?provider=google"))).toEqual([303, site, "unexpected_failure"]);
  expect(errorOf(await visit(`callback?code=x&state=${state}`, cookie))).toEqual([
    303,
    site,
    "unexpected_failure",
  ]);
  await sql`alter table auth.gone rename to flow_state`;
  expect(errors).toHaveLength(2);
  expect(errorOf(await visit("verify?token=x&type=recovery"))).toEqual([303, site, "otp_expired"]);
});
