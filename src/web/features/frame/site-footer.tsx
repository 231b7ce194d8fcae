import type { ReactNode } from "react";
import { LanternMark } from "../../components/lantern-mark.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { useConfig } from "../../lib/use-config.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { LanguageLinks } from "./language-links.tsx";

const link = "inline-flex min-h-11 items-center hover:underline underline-offset-4";

export function SiteFooter() {
  const t = useTexts("common");
  const config = useConfig();
  return (
    <footer className="night bg-night">
      <div className="mx-auto grid max-w-6xl gap-8 px-5 pt-12 pb-28 md:grid-cols-[1fr_auto] md:px-6 md:pb-12">
        <div className="grid content-start gap-3">
          <p className="flex items-center gap-2 text-xl font-bold tracking-tight">
            <LanternMark className="size-8" />
            Sereno
          </p>
          <p className="text-muted">{t("footer.tagline")}</p>
        </div>
        <nav aria-label={t("footer.navigation")}>
          <ul className="flex flex-wrap gap-x-8">
            <li>
              <OutsideLink href={config?.supportUrl}>{t("footer.support")}</OutsideLink>
            </li>
            <li>
              <OutsideLink href={config && `${config.telegramLinkUrl}/${config.botUsername}`}>
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
          </ul>
        </nav>
        <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-2 border-t border-line pt-4 text-[0.9375rem] md:col-span-2">
          <LanguageLinks />
          <p className="text-muted">{t("footer.notAffiliated")}</p>
        </div>
      </div>
    </footer>
  );
}

/** Its address comes with the settings of the installation, after the page: until then it is text in its place. */
function OutsideLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return <span className={link}>{children}</span>;
  return (
    <a href={href} className={link} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
