import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { openSocket, type RawAnswer, rawRequest } from "#test/raw-http.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
  await signUp(product, "alice");
});

afterAll(() => product.stop());

const headers = (): [string, string][] => [
  ["apikey", product.publishableKey],
  ["Content-Type", "application/json"],
];

const send = (method: string, target: string, body = ""): Promise<RawAnswer> =>
  rawRequest(product.url, { method, target, headers: headers(), body });

const SIGN_IN = { path: "/auth/v1/token", search: "?grant_type=password" };
const WRONG = JSON.stringify({ email: "alice@example.com", password: "wrong-password" });

const hex = (letter: string) => letter.charCodeAt(0).toString(16).padStart(2, "0");

/** All variants of the path with one character written in another form. */
function respelled(path: string): string[] {
  return [...path].flatMap((letter, index) => {
    const put = (text: string) => path.slice(0, index) + text + path.slice(index + 1);
    const code = hex(letter);
    return [
      put(`%${code}`),
      put(`%${code.toUpperCase()}`),
      put(`%25${code}`),
      put(`%2525${code}`),
      put(`%u00${code}`),
      put(`%00${letter}`),
      put(`${letter}%00`),
      put(`%${letter}`),
      ...(/[a-z]/.test(letter) ? [put(letter.toUpperCase())] : []),
    ];
  });
}

const whole = (path: string) => [...path].map((letter) => `%${hex(letter)}`).join("");

const ELSEWHERE = [
  "//auth/v1/token",
  "/auth//v1/token",
  "/auth/v1//token",
  "/auth/v1/token/",
  "/auth/v1/token//",
  "/./auth/v1/token",
  "/auth/./v1/token",
  "/auth/v1/./token",
  "/x/../auth/v1/token",
  "/auth/x/../v1/token",
  "/rest/v1/../../auth/v1/token",
  "/rest/v1/..%2f..%2fauth/v1/token",
  "/auth/v1/%2e/token",
  "/auth/v1/x/%2e%2e/token",
  "/auth/v1/x/.%2E/token",
  "/%2e%2e/auth/v1/token",
  "/auth%2fv1%2ftoken",
  "/auth%2Fv1/token",
  "/auth/v1%5ctoken",
  "/auth\\v1\\token",
  "\\auth\\v1\\token",
  "/x\\..\\auth/v1/token",
  "/auth/v1/token;x=1",
  "/auth;x/v1/token",
  "/auth/v1/token%20",
  "/auth/v1/token%09",
  "/%20auth/v1/token",
  "/auth/v1/token%3f",
  "/auth/v1/token%23",
  "/auth/v1/token%",
  "/auth/v1/token%z1",
  "/AUTH/V1/TOKEN",
  "/Auth/v1/token",
  "/auth/V1/token",
  "/auth/v1/token#x",
  "/auth/v1/token\xe9",
  "/\xc1\xa1uth/v1/token",
  "/%c1%a1uth/v1/token",
  "/%EF%BD%81uth/v1/token",
  "http://localhost/auth/v1/token",
  "HTTP://localhost/auth/v1/token",
  "auth/v1/token",
  "/auth/v1",
  "/auth/v1/",
  "/auth/v2/token",
  "/auth/v1/tokens",
  "/storage/v1/token",
  "/_system/config",
];

test("DOOR-01 the canonical path reaches the auth service", async () => {
  const { status, body } = await send("POST", `${SIGN_IN.path}${SIGN_IN.search}`, WRONG);
  expect([status, body]).toEqual([400, expect.stringContaining("invalid_credentials")]);
});

test("DOOR-01 with any letter of the path written differently there is no sign-in", async () => {
  const targets = [
    ...respelled(SIGN_IN.path),
    whole(SIGN_IN.path),
    `/${whole("auth")}/v1/token`,
    ...ELSEWHERE,
  ];
  for (const target of targets) {
    const { status, body } = await send(
      "POST",
      `${target}${target.includes("#") ? "" : SIGN_IN.search}`,
      WRONG,
    );
    // Node's parser refuses what is not a request target at all.
    expect([400, 404], target).toContain(status);
    if (status === 400) expect([target, body]).toEqual([target, ""]);
    if (status === 404) expect(body, target).toMatch(/There is nothing here|no such auth route/);
  }
});

test("DOOR-01 two hundred wrong passwords under another spelling do not reach the auth service", async () => {
  for (let guess = 0; guess < 200; guess += 1) {
    const letter = "auth/v1/token".charAt(guess % 13);
    const target = `/${"auth/v1/token".replace(letter, `%${hex(letter)}`)}${SIGN_IN.search}`;
    expect((await send("POST", target, WRONG)).status, target).toBe(404);
  }
  const right = JSON.stringify({ email: "alice@example.com", password: "alice-password" });
  expect((await send("POST", `${SIGN_IN.path}${SIGN_IN.search}`, right)).status).toBe(200);
});

test("DOOR-01 with any letter of the path written differently the data API is not found", async () => {
  expect((await send("GET", "/rest/v1/demo_listings?select=demo_id")).status).toBe(200);
  for (const target of [...respelled("/rest/v1/demo_listings"), whole("/rest/v1/demo_listings")]) {
    const { status, body } = await send("GET", `${target}?select=demo_id`);
    expect([400, 404], target).toContain(status);
    if (status === 404) expect(body, target).toMatch(/Page not found|no such table, function or method/);
  }
});

test.each([
  ["GET", "/rest/v1"],
  ["GET", "/rest/v1/"],
  ["GET", "/rest/v1/demo_listings/"],
  ["GET", "/rest/v1/demo_listings/1"],
  ["GET", "/rest/v1/rpc"],
  ["GET", "/rest/v1/rpc/"],
  ["POST", "/rest/v1/rpc/export_my_data/x"],
  ["PUT", "/rest/v1/demo_listings"],
  ["OPTIONS", "/rest/v1/demo_listings"],
  ["TRACE", "/rest/v1/demo_listings"],
  ["PROPFIND", "/rest/v1/demo_listings"],
  ["PUT", "/rest/v1/rpc/export_my_data"],
  ["PATCH", "/rest/v1/rpc/export_my_data"],
  ["DELETE", "/rest/v1/rpc/export_my_data"],
  ["GET", "/rest/v1/Demo_listings"],
  ["GET", "/rest/v1/demo_listings,profiles"],
  ["GET", "/rest/v1/_system"],
  ["POST", "/nothing-here"],
  ["GET", "/storage/v1/bucket"],
  ["GET", "/_system/info"],
  ["GET", "/realtime/v1/websocket"],
  ["OPTIONS", "*"],
  ["GET", "*"],
])("DOOR-01 %s %s is not a route", async (method, target) => {
  expect((await send(method, target)).status).toBe(404);
});

test("DOOR-01 names of object properties are not routes", async () => {
  for (const name of ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"]) {
    expect((await send("GET", `/auth/v1/${name}`)).status, name).toBe(404);
    expect((await send(name, "/auth/v1/user")).status, name).toBeOneOf([400, 404]);
    expect((await send("GET", `/${name}`)).status, name).toBe(404);
  }
});

const UPGRADE: [string, string][] = [
  ["Connection", "Upgrade"],
  ["Upgrade", "websocket"],
  ["Sec-WebSocket-Version", "13"],
  ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
];

/** The response status, without waiting for the connection to end: after an upgrade it stays open. */
function upgradeStatus(bytes: string): Promise<number> {
  const socket = openSocket(product.url);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => resolve(0));
    socket.once("data", (chunk) => {
      resolve(Number(chunk.toString("latin1").split(" ")[1]));
      socket.destroy();
    });
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

const upgrade = (target: string) => {
  const lines = [["Host", new URL(product.url).host], ...UPGRADE].map(([name, value]) => `${name}: ${value}`);
  return upgradeStatus(`GET ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
};

test("DOOR-01 realtime is found at its exact path only", async () => {
  const path = "/realtime/v1/websocket";
  const search = `?apikey=${product.publishableKey}&vsn=1.0.0`;
  expect(await upgrade(`${path}${search}`)).toBe(101);
  const others = [
    ...respelled(path),
    `${path}/`,
    `/${path}`,
    `/x/..${path}`,
    "/realtime/v1/./websocket",
    "/",
  ];
  for (const target of others) expect([200, 400, 404], target).toContain(await upgrade(`${target}${search}`));
});

test("DOOR-01 the log shows the path as received, without its query or anything that could be one", async () => {
  const cases = [
    ["/%61uth/v1/log-one?token=hidden-one", "/%61uth/v1/log-one"],
    ["/x/../%2e%2E/log-two", "/x/../%2e%2E/log-two"],
    ["/auth/v1/callback%3Fcode=hidden-two&state=hidden-two", "/auth/v1/callback"],
    ["/auth/v1/callback%253fcode%253dhidden-three", "/auth/v1/callback"],
    ["/auth/v1/callback;code=hidden-four", "/auth/v1/callback"],
  ] as const;
  for (const [target, path] of cases) {
    expect((await send("GET", target)).status, target).toBe(404);
    expect(loggedPaths(), target).toContain(path);
  }
  await send("GET", `/${"long".repeat(500)}`);
  expect(Math.max(...loggedPaths().map(({ length }) => length))).toBeLessThanOrEqual(256);
  expect(product.log()).not.toMatch(/hidden-/);
});

const loggedPaths = (): string[] =>
  product
    .log()
    .split("\n")
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line).path);

test("DOOR-01 a mistyped page URL shows the 404 page in the right language", async () => {
  for (const [target, words] of [
    ["/es/b%C3%BAsqueda", "Página no encontrada"],
    ["/es/nada/", "Página no encontrada"],
    ["/es//", "Página no encontrada"],
    ["/%65s", "Oops! Page not found"],
    ["/b%C3%BAsqueda?q=%C3%BA", "Oops! Page not found"],
  ] as const) {
    const { status, head, body } = await send("GET", target);
    expect([target, status]).toEqual([target, 404]);
    expect(head).toContain("content-type: text/html");
    expect(Buffer.from(body, "latin1").toString()).toContain(words);
    expect(head).toContain("x-content-type-options: nosniff");
  }
  const { status, head } = await send("GET", "/es/?q=%C3%BA");
  expect([status, /location: (.*)\r/.exec(`${head}\r`)?.[1]]).toEqual([308, "/es?q=%C3%BA"]);
});

test("READ-11: no path is redirected to another site", async () => {
  for (const prefix of ["", "/es", "/fr", "/es/privacy", "/finds"]) {
    for (const evil of [
      "//evil.example",
      "/\\evil.example",
      "///evil.example",
      "/%2f%2fevil.example",
      "/%5cevil.example",
    ]) {
      for (const target of [`${prefix}${evil}`, `${prefix}${evil}/`, `${prefix}${evil}/..`]) {
        const { status, head } = await send("GET", target);
        expect([target, status, /^location:/im.test(head)]).toEqual([target, 404, false]);
      }
    }
  }
});

test("DOOR-12 two Host headers, or an invalid one, are refused", async () => {
  const host = new URL(product.url).host;
  for (const lines of [
    [`Host: ${host}`, "Host: evil.example"],
    [`Host: ${host}`, `host: ${host}`],
    ["Host: a b"],
    ["Host: localhost/auth/v1/health?"],
    ["Host: evil@localhost"],
    ["Host: "],
    [],
  ]) {
    for (const extra of [["Connection: close"], UPGRADE.map(([name, value]) => `${name}: ${value}`)]) {
      const bytes = `GET /livez HTTP/1.1\r\n${[...lines, ...extra].join("\r\n")}\r\n\r\n`;
      expect([lines, await upgradeStatus(bytes)]).toEqual([lines, 400]);
    }
  }
});
