import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Console, startConsole } from "./console/console.ts";
import { startGoogleSimulator } from "./google/google-simulator.ts";
import { startMailSimulator } from "./mail/mail-simulator.ts";
import { startPortalSimulator } from "./portal/start-portal-simulator.ts";
import { startRoutesSimulator } from "./routes/start-routes-simulator.ts";
import { startTelegramLogin } from "./telegram/oidc/telegram-login.ts";
import { startTelegramSimulator } from "./telegram/start-telegram-simulator.ts";

let console: Console;
let stops: (() => Promise<unknown>)[];
/** Each server, with a path that changes something and one that reads. */
let servers: { url: string; change: string; read: string }[];

beforeAll(async () => {
  const [mail, google, portal, telegram, routes] = await Promise.all([
    startMailSimulator(),
    startGoogleSimulator({ redirectUris: [] }),
    startPortalSimulator({ size: 10 }),
    startTelegramSimulator({ control: true }),
    startRoutesSimulator(),
  ]);
  const telegramLogin = await startTelegramLogin(telegram, { redirectUris: [] });
  console = await startConsole({
    port: 0,
    siteUrl: "http://box.example:3000",
    mail,
    google,
    portalUrl: portal.url,
    telegram,
    telegramLogin,
  });
  stops = [
    console.stop,
    mail.stop,
    google.stop,
    portal.close,
    telegram.close,
    routes.close,
    telegramLogin.stop,
  ];
  servers = [
    { url: console.url, change: "/api/google/people", read: "/api/mail" },
    { url: google.url, change: "/o/oauth2/v2/auth", read: "/oauth2/v3/certs" },
    { url: telegramLogin.url, change: "/auth", read: "/.well-known/jwks.json" },
    { url: portal.url, change: "/control/listings", read: "/control/listings" },
    { url: telegram.url, change: "/control/people", read: "/control/chats" },
    { url: routes.url, change: "/v2/matrix/foot-walking", read: "/v2/matrix/foot-walking" },
  ];
});

afterAll(() => Promise.all(stops.map((stop) => stop())));

const REFUSED = [421, 403];

function statusOf(url: string, method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    const asked = request({ hostname, port, path: pathname, method, headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });
}

test("a foreign host name that resolves to this machine cannot reach a simulator", async () => {
  for (const { url, read, change } of servers) {
    const { port } = new URL(url);
    const hosts = [
      "evil.example",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "0.0.0.0",
      "localhost@evil",
    ];
    for (const host of [...hosts.map((name) => `${name}:${port}`), "localhost:1", "localhost", "127.0.0.1"]) {
      expect([url, host, await statusOf(url + read, "GET", { host })]).toEqual([url, host, 421]);
      expect([url, host, await statusOf(url + change, "POST", { host })]).toEqual([url, host, 421]);
    }
    for (const name of ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"]) {
      expect(REFUSED).not.toContain(await statusOf(url + read, "GET", { host: `${name}:${port}` }));
    }
  }
});

test("the console forwards requests of its page to the portal", async () => {
  const headers = {
    "content-type": "application/json",
    origin: console.url,
    "sec-fetch-site": "same-origin",
  };
  const body = JSON.stringify({ url: "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/" });
  const answer = await fetch(`${console.url}/api/portal/listings`, { method: "POST", headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([
    201,
    { listings: [{ code: expect.anything() }] },
  ]);
  expect((await fetch(`${console.url}/api/portal/listings?limit=1`)).status).toBe(200);
});

test("the console can be reached by the host name of the configured site", async () => {
  const { port } = new URL(console.url);
  expect(await statusOf(`${console.url}/api/mail`, "GET", { host: `box.example:${port}` })).toBe(200);
});

test("a page of another site cannot change anything in a simulator", async () => {
  for (const { url, change } of servers) {
    const own = new URL(url).origin;
    const foreign = [
      { origin: "https://evil.example" },
      { origin: "http://localhost:8080" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", origin: own },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", origin: "null" },
    ];
    for (const headers of foreign) {
      expect([url, headers, await statusOf(url + change, "POST", headers)]).toEqual([url, headers, 403]);
    }
    // The simulated Google sends no referrer, so its forms have the origin "null".
    for (const headers of [{}, { origin: own }, { origin: "null", "sec-fetch-site": "same-origin" }]) {
      expect(REFUSED).not.toContain(await statusOf(url + change, "POST", headers));
    }
  }
});

test("a page of another site may link to a simulator but not load its contents", async () => {
  for (const { url, read } of servers) {
    const led = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect(REFUSED).not.toContain(await statusOf(url + read, "GET", led));
    const loaded = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    expect([url, await statusOf(url + read, "GET", loaded)]).toEqual([url, 403]);
  }
});
