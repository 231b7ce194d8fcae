import { useEffect } from "react";
import { LanternMark } from "../components/lantern-mark.tsx";
import { LocalLink } from "../components/local-link.tsx";
import { PrivatePageMeta } from "../components/page-meta.tsx";
import { Button } from "../components/ui/button.tsx";
import { logProblem } from "../lib/browser/log.ts";
import { useTexts } from "../lib/i18n/use-texts.ts";

/** For an error nobody expected: the frame may be what broke, so the page stands alone. */
export function CrashPage({ error }: { error: unknown }) {
  const t = useTexts("common");
  useEffect(() => logProblem("The page crashed", error), [error]);
  return (
    <main className="mx-auto grid min-h-dvh max-w-lg content-center justify-items-start gap-5 px-5">
      <PrivatePageMeta title={`${t("crash.title")} · Sereno`} />
      <LanternMark className="size-14" />
      <h1 className="text-3xl">{t("crash.title")}</h1>
      <p className="text-muted">{t("crash.text")}</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => window.location.reload()}>{t("crash.reload")}</Button>
        <Button variant="outline" asChild>
          <LocalLink to="/" reloadDocument>
            {t("crash.home")}
          </LocalLink>
        </Button>
      </div>
    </main>
  );
}
