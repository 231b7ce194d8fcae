import { useQueryClient } from "@tanstack/react-query";
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
  const page = basePathOf(useLocation().pathname);
  const queries = useQueryClient();
  return (
    <Boundary key={page} onCrash={() => queries.removeQueries()}>
      {children}
    </Boundary>
  );
}

interface BoundaryProps {
  children: ReactNode;
  onCrash(): void;
}

/** A stored answer may have the form of an earlier version: the page is shown a second time, with what the server answers. */
class Boundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};
  isSecond = false;

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    this.props.onCrash();
    if (this.isSecond) return;
    this.isSecond = true;
    logProblem("The page is shown again, because it crashed", error);
    this.setState({ error: undefined });
  }

  override render() {
    return this.state.error !== undefined ? <Crash error={this.state.error} /> : this.props.children;
  }
}
