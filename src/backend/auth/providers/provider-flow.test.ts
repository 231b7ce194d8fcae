import { expect, test } from "vitest";
import { createRedirects } from "../redirects.ts";
import { createFlowCookies } from "./flow-cookies.ts";
import { createProviderClient } from "./provider-client.ts";
import { telegramProvider } from "./providers.ts";

const STATE = "019a1111-2222-7333-8444-555566667777";

test("over https the sign-in cookie is limited to its host and to https", () => {
  const home = "https://sereno.example/";
  const cookies = createFlowCookies(createRedirects("https://sereno.example", [home]), ["google"]);
  const flow = { provider: "google", state: STATE, secret: "s".repeat(43), home };
  const [cookie = ""] = cookies.set(flow, null);
  expect(cookie.startsWith(`__Host-google-${STATE}=`)).toBe(true);
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800; Secure$/);
  const sent = `other=x; ${cookie.split(";")[0]}`;
  expect(cookies.find(STATE, sent)).toEqual(flow);
  for (const state of ["", "__proto__", crypto.randomUUID(), STATE.toUpperCase()]) {
    expect(cookies.find(state, sent), state).toBeUndefined();
  }
});

test("A24 only listed redirect URLs are accepted, and returned as listed", () => {
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

test.each(["http://oauth.telegram.example", "http://127.0.0.1.evil.example", "http://10.0.0.5"])(
  "START-08 the issuer %s is refused, because plain http is for simulators on this machine",
  async (url) => {
    const provider = telegramProvider({ clientId: "7000000001", clientSecret: "any", url });
    const client = createProviderClient(provider, { redirectUri: "https://sereno.example/", now: Date.now });
    const asked = { state: "s", nonce: "n", codeChallenge: "c" };
    await expect(client.authorizationUrl(asked)).rejects.toThrow("OAUTH_HTTP_REQUEST_FORBIDDEN");
  },
);

test("START-08 the cookie of a sign-in with Telegram has a valid name", () => {
  const home = "https://sereno.example/";
  const cookies = createFlowCookies(createRedirects("https://sereno.example", [home]), ["custom:telegram"]);
  const flow = { provider: "custom:telegram", state: STATE, secret: "s".repeat(43), home };
  const [cookie = ""] = cookies.set(flow, null).flatMap((one) => one.split(";"));
  expect(cookie).toMatch(/^[\w-]+=/);
  expect(cookies.find(STATE, cookie)).toEqual(flow);
});

test("TIME-07 a browser keeps the cookies of its last five sign-ins, and nothing else of it is touched", () => {
  const home = "https://sereno.example/";
  const redirects = createRedirects("https://sereno.example", [home]);
  const cookies = createFlowCookies(redirects, ["google", "custom:telegram"]);
  const kept = new Map([["other", "x"]]);
  const states: string[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const state = crypto.randomUUID();
    states.push(state);
    const provider = turn % 2 === 0 ? "google" : "custom:telegram";
    const header = [...kept].map((pair) => pair.join("=")).join("; ");
    for (const cookie of cookies.set({ provider, state, secret: "s".repeat(43), home }, header)) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*);/.exec(cookie) ?? [];
      if (cookie.includes("Max-Age=0")) kept.delete(name);
      else kept.set(name, value);
    }
    expect(kept.size).toBeLessThanOrEqual(6);
  }
  const header = [...kept].map((pair) => pair.join("=")).join("; ");
  const found = states.filter((state) => cookies.find(state, header));
  expect(found).toEqual(states.slice(-5));
  expect(kept.get("other")).toBe("x");
});
