import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import type { Language } from "#core/languages.ts";
import { useConfig } from "../../lib/use-config.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";

/** The product's site has its terms in English and in Spanish alone. */
function legalAddress(siteUrl: string, page: "terms" | "privacy", language: Language): string {
  const prefix = language === "es" ? "/es" : "";
  return `${siteUrl.replace(/\/+$/, "")}${prefix}/${page}`;
}

export function LegalStatement() {
  const t = useTexts("auth");
  const siteUrl = useConfig()?.legalSiteUrl ?? "";
  const language = useLanguage();
  return (
    <p className="text-sm text-muted">
      <Trans
        t={t}
        i18nKey="signUp.agree"
        components={{
          terms: <LegalLink href={legalAddress(siteUrl, "terms", language)} />,
          privacy: <LegalLink href={legalAddress(siteUrl, "privacy", language)} />,
        }}
      />
    </p>
  );
}

function LegalLink({ href, children }: { href: string; children?: ReactNode }) {
  const t = useTexts("auth");
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="text-ink underline decoration-ink/35 underline-offset-2 hover:decoration-ink"
    >
      {children}
      <span className="sr-only"> ({t("dialog.opensInNewTab")})</span>
    </a>
  );
}
