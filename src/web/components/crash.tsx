import { Component, type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { basePathOf } from "#core/languages.ts";
import { logProblem } from "../lib/browser/log.ts";
import { useTexts } from "../lib/i18n/use-texts.ts";
import { LanternMark } from "./lantern-mark.tsx";
import { LocalLink } from "./local-link.tsx";
import { PrivatePageMeta } from "./page-meta.tsx";
import { Button } from "./ui/button.tsx";

/** For unexpected errors, in the place of what crashed. */
export function Crash({ error }: { error: unknown }) {
  const t = useTexts("common");
  useEffect(() => logProblem("The page crashed", error), [error]);
  return (
    <div className="mx-auto grid min-h-[70vh] max-w-lg content-center justify-items-start gap-5 px-5">
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
    </div>
  );
}

/** Keeps a crash inside its page: header, footer and language stay, and every other page can be opened. */
export function PageBoundary({ children }: { children: ReactNode }) {
  return <Boundary key={basePathOf(useLocation().pathname)}>{children}</Boundary>;
}

class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return "error" in this.state ? <Crash error={this.state.error} /> : this.props.children;
  }
}
