import { DEFAULT_LANGUAGE, LANGUAGES, localizedPath } from "#core/languages.ts";
import { PAGE_PATHS, PUBLIC_PATHS } from "./page-paths.ts";

export function sitemapOf(origin: string): string {
  const urls = PUBLIC_PATHS.flatMap((path) =>
    LANGUAGES.map((language) => urlEntry(origin, localizedPath(path, language))),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join("\n")}
</urlset>
`;
}

export function robotsOf(origin: string): string {
  const closed = PAGE_PATHS.filter((path) => !(PUBLIC_PATHS as readonly string[]).includes(path));
  const rules = closed.flatMap((path) =>
    LANGUAGES.map((language) => `Disallow: ${localizedPath(path, language)}`),
  );
  return `User-agent: *\n${rules.join("\n")}\n\nSitemap: ${origin}/sitemap.xml\n`;
}

/** The same page in every language, and x-default for all other languages. */
export function alternatesOf(origin: string, path: string): { hreflang: string; href: string }[] {
  return [
    ...LANGUAGES.map((language) => ({
      hreflang: language,
      href: absoluteUrl(origin, localizedPath(path, language)),
    })),
    { hreflang: "x-default", href: absoluteUrl(origin, localizedPath(path, DEFAULT_LANGUAGE)) },
  ];
}

export function absoluteUrl(origin: string, path: string): string {
  return `${origin}${path}`;
}

function urlEntry(origin: string, path: string): string {
  const links = alternatesOf(origin, path).map(
    ({ hreflang, href }) => `    <xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`,
  );
  return `  <url>\n    <loc>${absoluteUrl(origin, path)}</loc>\n${links.join("\n")}\n  </url>`;
}
