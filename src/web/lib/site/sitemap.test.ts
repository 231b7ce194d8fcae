import { expect, test } from "vitest";
import { alternatesOf, robotsOf, sitemapOf } from "./sitemap.ts";

test("LANG-06 a page has an address in each language and x-default", () => {
  expect(alternatesOf("https://s.example", "/es/terms")).toEqual([
    { hreflang: "en", href: "https://s.example/terms" },
    { hreflang: "es", href: "https://s.example/es/terms" },
    { hreflang: "ru", href: "https://s.example/ru/terms" },
    { hreflang: "de", href: "https://s.example/de/terms" },
    { hreflang: "fr", href: "https://s.example/fr/terms" },
    { hreflang: "x-default", href: "https://s.example/terms" },
  ]);
});

test("LANG-06 the sitemap lists the public pages in every language, each with its alternates", () => {
  const sitemap = sitemapOf("https://s.example");
  const addresses = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  expect(addresses).toHaveLength(20);
  expect(addresses).toContain("https://s.example/");
  expect(addresses).toContain("https://s.example/ru/privacy");
  expect(addresses).not.toContain("https://s.example/profile");
  expect(sitemap.match(/xhtml:link/g)).toHaveLength(20 * 6);
});

test("robots.txt keeps crawlers out of the pages behind the sign-in and names the sitemap", () => {
  const robots = robotsOf("https://s.example");
  expect(robots).toContain("Disallow: /de/filter-settings\n");
  expect(robots).not.toContain("Disallow: /\n");
  expect(robots).toContain("Sitemap: https://s.example/sitemap.xml");
});
