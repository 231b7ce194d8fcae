import { afterAll, beforeAll, expect, test } from "vitest";
import { rawRequest } from "#test/raw-http.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "0" });
});

afterAll(() => product.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${product.url}${path}`, { headers, redirect: "manual" });

test.each([
  "/",
  "/es",
  "/nothing-here",
  "/livez",
  "/config.json",
  "/assets/app-1234.js",
  "/rest/v1/profiles",
])("%s has the security headers", async (path) => {
  const { headers } = await get(path);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("permissions-policy")).toContain("geolocation=()");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get("x-powered-by")).toBeNull();
  expect(headers.get("server")).toBeNull();
});

test("a page's inline scripts are allowed by hash, never by 'unsafe-inline'", async () => {
  const policy = (await get("/")).headers.get("content-security-policy") ?? "";
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1];
  expect(scripts).toMatch(/^'self' 'sha256-[\w+/]{43}='$/);
  expect((await get("/es")).headers.get("content-security-policy")).toContain("script-src 'self';");
});

test("/.well-known/security.txt names where weaknesses are reported, and ends within a year", async () => {
  const answer = await get("/.well-known/security.txt");
  expect(answer.headers.get("content-type")).toContain("text/plain");
  const lines = (await answer.text()).split("\n");
  expect(lines[0]).toBe("Contact: mailto:operator@example.com");
  const expires = Date.parse(lines[1]?.replace("Expires: ", "") ?? "");
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThanOrEqual(Date.now() + 366 * 86_400_000);
  expect(lines).toContain("Canonical: http://localhost:3000/.well-known/security.txt");
});

test("pages contain the site URL, which the build did not know", async () => {
  expect(await (await get("/")).text()).toContain("<p>http://localhost:3000/</p>");
  expect(await (await get("/robots.txt")).text()).toBe("Sitemap: http://localhost:3000/sitemap.xml");
});

test("ROUTE-07 an unknown page has status 404, is in the path's language and is logged", async () => {
  const english = await get("/nothing-here");
  expect([english.status, await english.text()]).toEqual([
    404,
    expect.stringContaining("Oops! Page not found"),
  ]);
  const spanish = await get("/es/nada");
  expect([spanish.status, await spanish.text()]).toEqual([
    404,
    expect.stringContaining("Página no encontrada"),
  ]);
  expect((await get("/xx/nada")).status).toBe(404);
  expect((await get("/404")).status).toBe(404);
  expect(product.log()).toContain('"path":"/es/nada","status":404');
});

test("a trailing slash redirects to the page without it, keeping the query", async () => {
  const answer = await get("/es/?utm=1");
  expect([answer.status, answer.headers.get("location")]).toEqual([308, "/es?utm=1"]);
  expect((await get("//evil.example/")).status).toBe(404);
});

test("only files of the web app are served", async () => {
  const paths = [
    "/../../package.json",
    "/..%2f..%2fpackage.json",
    "/%2e%2e/%2e%2e/package.json",
    "/index.html",
  ];
  for (const path of paths) expect((await rawRequest(product.url, { target: path })).status).toBe(404);
});

test("files with a hash in their name are cached for a year, pages are revalidated", async () => {
  expect((await get("/assets/app-1234.js")).headers.get("cache-control")).toBe(
    "public, max-age=31536000, immutable",
  );
  const page = await get("/");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const again = await get("/", { "if-none-match": page.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", null],
])("for a browser that accepts %s a file is sent as %s with the same content", async (accepted, encoding) => {
  const answer = await get("/assets/app-1234.js", { "accept-encoding": accepted });
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(answer.headers.get("vary")).toBe("accept-encoding");
  expect(await answer.text()).toBe("console.log('app');".repeat(100));
});

test("a request id is returned, and a forged one does not reach the log", async () => {
  expect((await get("/", { "x-request-id": "abc-12345" })).headers.get("x-request-id")).toBe("abc-12345");
  expect((await get("/", { "x-request-id": '"},{"evil' })).headers.get("x-request-id")).toMatch(
    /^[\da-f-]{36}$/,
  );
});

test("/config.json contains only public settings", async () => {
  const config = (await (await get("/config.json")).json()) as object;
  expect(Object.keys(config).toSorted()).toEqual([
    "botUsername",
    "canLinkTelegram",
    "checkIntervalSeconds",
    "googleSignIn",
    "hasMapTiles",
    "legalSiteUrl",
    "mailDomain",
    "offlinePages",
    "publishableKey",
    "searchByUrl",
    "sendsMail",
    "supabaseUrl",
    "supportUrl",
    "telegramLinkUrl",
    "telegramSignIn",
    "telegramWebUrl",
  ]);
});

test("/livez answers, and /readyz while the database does", async () => {
  expect(await (await get("/livez")).json()).toEqual({ status: "alive" });
  expect(await (await get("/readyz")).json()).toEqual({ status: "ready" });
});

test("SERV-05 ignored X-Forwarded-For headers are logged once", async () => {
  for (const address of ["192.0.2.1", "192.0.2.2"]) await get("/livez", { "x-forwarded-for": address });
  expect(product.log().match(/set TRUSTED_PROXIES/g)).toHaveLength(1);
});

test("methods other than GET and HEAD are refused on pages", async () => {
  expect((await fetch(`${product.url}/`, { method: "POST", body: "x" })).status).toBe(405);
});

test("BYTE-01 U32 a body over 64 kB is refused, and a guest's own before that", async () => {
  const send = async (path: string) => {
    const answer = await fetch(`${product.url}/${path}`, {
      method: "POST",
      headers: { apikey: product.publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ filter_url: "x".repeat(66_000) }),
    });
    return answer.status;
  };
  expect(await send("auth/v1/signup")).toBe(413);
  expect(await send("rest/v1/filter_settings")).toBe(401);
});

test("without the publishable key auth and data refuse every request", async () => {
  expect((await get("/rest/v1/demo_listings")).status).toBe(401);
  expect((await get("/auth/v1/user")).status).toBe(401);
});
