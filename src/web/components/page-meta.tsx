import { LANGUAGE_TRAITS, LANGUAGES, localizedPath } from "#core/languages.ts";
import { useLanguage, useTexts } from "../lib/i18n/use-texts.ts";
import { builtSiteOrigin, isPrerendering } from "../lib/site/env.ts";
import { readPageData } from "../lib/site/page-data.ts";
import { absoluteUrl, alternatesOf } from "../lib/site/sitemap.ts";

/** Title, description and addresses of a public page; React moves them into the head. */
export function PageMeta({ path, title, description }: { path: string; title: string; description: string }) {
  const language = useLanguage();
  const t = useTexts("common");
  const origin = isPrerendering ? builtSiteOrigin : readPageData().data.siteOrigin;
  const address = absoluteUrl(origin, localizedPath(path, language));
  const image = absoluteUrl(origin, "/open-graph.png");
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      {alternatesOf(origin, path).map(({ hreflang, href }) => (
        <link key={hreflang} rel="alternate" hrefLang={hreflang} href={href} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Sereno" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={t("meta.imageAlt")} />
      <meta property="og:locale" content={LANGUAGE_TRAITS[language].openGraphLocale} />
      {LANGUAGES.filter((other) => other !== language).map((other) => (
        <meta key={other} property="og:locale:alternate" content={LANGUAGE_TRAITS[other].openGraphLocale} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** For pages that search engines must not list. */
export function PrivatePageMeta({ title }: { title: string }) {
  return (
    <>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}
