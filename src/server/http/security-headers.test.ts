import { expect, test } from "vitest";
import { commonHeaders, contentSecurityPolicy, frameOptions } from "./security-headers.ts";

test("HSTS binds the host alone or with the hosts below it, or leaves the header to the proxy", () => {
  const header = (siteUrl: string, httpsOnly: "subdomains" | "host" | "off") =>
    commonHeaders(siteUrl, httpsOnly)["strict-transport-security"];
  expect(header("https://sereno.example", "subdomains")).toBe("max-age=31536000; includeSubDomains");
  expect(header("https://sereno.example", "host")).toBe("max-age=31536000");
  expect(header("https://sereno.example", "off")).toBeUndefined();
  expect(header("http://localhost:3000", "subdomains")).toBeUndefined();
});

test("MINI-02 a page may be framed by nobody, or by the one site that is named, and then no older header forbids it", () => {
  const page = { html: "", siteUrl: "https://sereno.example", supabaseUrl: undefined };
  const framed = contentSecurityPolicy({ ...page, framedBy: "https://web.telegram.org" });
  expect(framed).toContain("frame-ancestors https://web.telegram.org;");
  expect(frameOptions(framed)).toEqual({});
  const plain = contentSecurityPolicy(page);
  expect(plain).toContain("frame-ancestors 'none'");
  expect([frameOptions(plain), frameOptions()]).toEqual(Array(2).fill({ "x-frame-options": "DENY" }));
});
