import { useTranslation } from "react-i18next";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import { builtSiteOrigin, isPrerendering } from "../lib/env.ts";
import { PAGE_DATA_ID, pageDataJson, readPageData } from "../lib/page-data.ts";
import { usePageHandle } from "../lib/use-page-handle.ts";
import { useLanguage } from "../lib/use-texts.ts";

/** The page's texts inside its HTML, so that the first render in the browser has them without asking for a file. */
export function PageDataScript() {
  const { i18n } = useTranslation();
  const language = useLanguage();
  const surfaces = ["common", ...usePageHandle().surfaces];
  const texts =
    language === DEFAULT_LANGUAGE
      ? {}
      : Object.fromEntries(surfaces.map((surface) => [surface, i18n.getResourceBundle(language, surface)]));
  const json = isPrerendering ? pageDataJson({ siteOrigin: builtSiteOrigin, texts }) : readPageData().json;
  return (
    <script
      id={PAGE_DATA_ID}
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with its angle brackets escaped
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}
