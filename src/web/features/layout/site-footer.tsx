import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { basePathOf, LANGUAGE_TRAITS, LANGUAGES, localizedPath } from "#core/languages.ts";
import { LanternMark } from "#web/components/lantern-mark.tsx";
import { LocalLink } from "#web/components/local-link.tsx";
import { useConfig } from "#web/lib/backend/config.ts";
import type { SiteConfig } from "#web/lib/backend/site-config.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { OUTSIDE_LINKS } from "#web/lib/site/outside-links.ts";
import { usePageHandle } from "#web/lib/site/page-handle.ts";
import { NOT_FOUND_PATH } from "#web/lib/site/page-paths.ts";
import { useHydrated } from "../../hydration/use-hydrated.ts";

const link = "inline-flex min-h-11 items-center hover:underline underline-offset-4";

/** On a phone, the pages of a signed-in person end with the links alone. */
export function SiteFooter() {
  const t = useTexts("common");
  const config = useConfig();
  const { isPrivate = false } = usePageHandle();
  const onlyOnWide = isPrivate && "max-md:hidden";
  return (
    <footer className="night bg-night">
      <div
        className={cn(
          "mx-auto grid max-w-6xl gap-8 px-5 md:grid-cols-[1fr_auto] md:px-6 md:pt-12 md:pb-12 md:in-data-cookie-notice:pb-28",
          isPrivate ? "pt-2 pb-safe text-sm in-data-cookie-notice:pb-20 md:text-base-lg" : "pt-12 pb-28",
        )}
      >
        <div className={cn("grid content-start gap-3", onlyOnWide)}>
          <p className="flex items-center gap-2 text-xl font-bold tracking-tight">
            <LanternMark className="size-8" />
            Sereno
          </p>
          <p className="text-muted">{t("footer.tagline")}</p>
        </div>
        <nav aria-label={t("footer.navigation")}>
          <ul className={cn("flex flex-wrap gap-x-8", isPrivate && "max-md:gap-x-6")}>
            <li>
              <OutsideLink name="support" config={config}>
                {t("footer.support")}
              </OutsideLink>
            </li>
            <li>
              <OutsideLink name="bot" config={config}>
                {t("footer.bot")}
              </OutsideLink>
            </li>
            <li>
              <LocalLink to="/terms" className={link}>
                {t("footer.terms")}
              </LocalLink>
            </li>
            <li>
              <LocalLink to="/privacy" className={link}>
                {t("footer.privacy")}
              </LocalLink>
            </li>
            <li>
              <LocalLink to="/privacy#who-runs-it" className={link}>
                {t("footer.legalNotice")}
              </LocalLink>
            </li>
          </ul>
        </nav>
        <div
          className={cn(
            "seen-late flex flex-wrap items-center justify-between gap-x-10 gap-y-2 border-t border-line pt-4 text-md md:col-span-2",
            onlyOnWide,
          )}
        >
          <LanguageLinks />
          <p className="text-muted">{t("footer.notAffiliated")}</p>
        </div>
      </div>
    </footer>
  );
}

interface OutsideLinkProps {
  name: keyof typeof OUTSIDE_LINKS;
  config: SiteConfig | undefined;
  children: ReactNode;
}

/**
 * The address comes with the settings of the installation, after the page: until then the link is plain text. Before
 * hydration outside-links.ts sets it.
 */
function OutsideLink({ name, config, children }: OutsideLinkProps) {
  const href = config && OUTSIDE_LINKS[name](config);
  return (
    <a {...(href ? { href } : {})} data-outside={name} className={link} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

/**
 * Links to this page in all languages: they work without scripts, and search engines follow them. The script in the head
 * remembers the choice.
 */
function LanguageLinks() {
  const t = useTexts("common");
  const current = useLanguage();
  const path = useCurrentBasePath();
  return (
    <ul aria-label={t("header.language")} className="flex flex-wrap gap-x-5">
      {LANGUAGES.map((language) => (
        <li key={language}>
          <Link
            to={localizedPath(path, language)}
            hrefLang={language}
            lang={language}
            aria-current={language === current ? "true" : undefined}
            className="inline-flex min-h-11 items-center text-muted hover:text-ink aria-[current]:text-ink"
          >
            {LANGUAGE_TRAITS[language].name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The page for unknown addresses is prerendered once, so its first render does not know its address. */
function useCurrentBasePath(): string {
  const { pathname } = useLocation();
  const { isNotFound } = usePageHandle();
  const isHydrated = useHydrated();
  return isNotFound && !isHydrated ? NOT_FOUND_PATH : basePathOf(pathname);
}
