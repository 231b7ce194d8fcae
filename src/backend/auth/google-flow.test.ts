import { expect, test } from "vitest";
import type { AuthRecords } from "./auth-records.ts";
import { createGoogleFlow } from "./google-flow.ts";
import { createRedirects } from "./redirects.ts";

const STATE = "019a1111-2222-7333-8444-555566667777";

test("over https the cookie that ties a sign-in to its browser is the host's own and goes by https alone", async () => {
  const flow = createGoogleFlow({
    forward: async () =>
      new Response(null, {
        status: 302,
        headers: { location: `https://accounts.google.com/o/oauth2/v2/auth?state=${STATE}` },
      }),
    records: {} as AuthRecords,
    signUps: { reserve: async () => undefined },
    redirects: createRedirects("https://sereno.example", ["https://sereno.example/"]),
    providerUrl: undefined,
  });
  const answer = await flow.authorize(
    new Request("https://sereno.example/auth/v1/authorize?provider=google"),
  );
  expect(answer.headers.get("location")).toMatch(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?/);
  const cookie = answer.headers.get("set-cookie") ?? "";
  expect(cookie.startsWith(`__Host-google-${STATE}=`)).toBe(true);
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800; Secure$/);
});

test("A24 only a listed address is found, and as it is listed", () => {
  const { find } = createRedirects("https://sereno.example", [
    "https://sereno.example/",
    "https://sereno.example/es",
  ]);
  expect(find("https://sereno.example")).toBe("https://sereno.example/");
  expect(find("HTTPS://SERENO.example/es")).toBe("https://sereno.example/es");
  for (const asked of [
    "http://sereno.example/es",
    "https://sereno.example/es/",
    "https://sereno.example:8443/es",
    "https://sereno.example/es?x",
    "https://sereno.example/es#x",
    "https://user@sereno.example/es",
    "https://sereno.example.evil.example/es",
    "https://evil.example\\@sereno.example/es",
    "/es",
    "",
    null,
    undefined,
  ]) {
    expect(find(asked), String(asked)).toBeUndefined();
  }
});
