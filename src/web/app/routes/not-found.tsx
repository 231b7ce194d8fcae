import { Fragment, useEffect } from "react";
import { useLocation } from "react-router";
import { Lantern } from "../../components/lantern.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Roofline } from "../../components/roofline.tsx";
import { Button } from "../../components/ui/button.tsx";
import { logProblem } from "../../lib/browser/log.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: [], startsAtNight: true, isNotFound: true };

export default function NotFoundPage() {
  const t = useTexts("common");
  const { pathname } = useLocation();
  useEffect(() => logProblem(`No page at ${pathname}`), [pathname]);
  return (
    <div className="night relative grid min-h-[78vh] overflow-hidden bg-[linear-gradient(180deg,#0b1220_0%,#101b33_55%,#1d2b4b_100%)]">
      <PrivatePageMeta title={t("notFound.metaTitle")} />
      <Roofline isAsleep />
      <Lantern className="right-10 bottom-52 h-16 lg:top-28 lg:right-[18%] lg:bottom-auto lg:h-32" />
      <div className="relative mx-auto grid w-full max-w-6xl content-start justify-items-start gap-5 px-5 pt-28 pb-72 md:px-6 md:pt-44">
        <h1 className="max-w-xl text-4xl md:text-6xl">
          {/* "Oops!" gets a line of its own if both do not fit on one. */}
          {t("notFound.title")
            .split(/(?<=!) /)
            .map((part, index) => (
              <Fragment key={part}>
                {index > 0 && " "}
                <span className="inline-block">{part}</span>
              </Fragment>
            ))}
        </h1>
        <p className="max-w-md text-muted">{t("notFound.text")}</p>
        <Button variant="lantern" size="lg" asChild>
          <LocalLink to="/">{t("notFound.home")}</LocalLink>
        </Button>
      </div>
    </div>
  );
}
