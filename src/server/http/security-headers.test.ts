import { expect, test } from "vitest";
import { commonHeaders } from "./security-headers.ts";

test("HSTS binds the host alone or with the hosts below it, or leaves the header to the proxy", () => {
  const header = (siteUrl: string, httpsOnly: "subdomains" | "host" | "off") =>
    commonHeaders(siteUrl, httpsOnly)["strict-transport-security"];
  expect(header("https://sereno.example", "subdomains")).toBe("max-age=31536000; includeSubDomains");
  expect(header("https://sereno.example", "host")).toBe("max-age=31536000");
  expect(header("https://sereno.example", "off")).toBeUndefined();
  expect(header("http://localhost:3000", "subdomains")).toBeUndefined();
});
