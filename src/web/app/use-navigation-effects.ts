import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { basePathOf, LANGUAGES, languageOfPath } from "#core/languages.ts";
import { sitePath } from "#core/site-path.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { logProblem } from "../lib/browser/log.ts";
import { readStoredInTab } from "../lib/browser/storage.ts";
import { keepOpenedPage } from "../lib/offline/visited-pages.ts";
import { TAB_STORAGE_KEYS } from "../lib/site/constants.ts";
import { destinationOf } from "../lib/site/destination-of.ts";

/** On every navigation: follow recovery links, end a recovery that was left, keep the page, move the focus to it. */
export function useNavigationEffects(): void {
  useRecoveryLinks();
  useEndOfRecovery();
  useKeptPages();
  useFocusOnNavigation();
}

/** A link pasted into an open tab changes only the fragment, so no page loads that would read it. */
function useRecoveryLinks(): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const storedLanguage = languageOfPath(pathname);
    const visit = { pathname, search, hash, storedLanguage, browserLanguages: [], languages: LANGUAGES };
    const target = destinationOf(visit, sitePath);
    if (target !== null) void navigate(target, { replace: true });
  }, [pathname, search, hash, navigate]);
}

/**
 * A reset link's session is for the reset page only. That page ends it when the app navigates away; this ends it on any
 * other page.
 */
function useEndOfRecovery(): void {
  const { pathname } = useLocation();
  const basePath = basePathOf(pathname);
  useEffect(() => {
    if (basePath === "/reset-password" || readStoredInTab(TAB_STORAGE_KEYS.recovery) === null) return;
    import("../features/reset-password/recovery-session.ts").then(
      ({ endRecovery }) => endRecovery(),
      (error: unknown) => logProblem("The recovery session could not be ended", error),
    );
  }, [basePath]);
}

function useKeptPages(): void {
  const { pathname } = useLocation();
  useEffect(() => keepOpenedPage(pathname), [pathname]);
}

/** Focuses the heading of a new page. The same page in another language keeps the focus where it was. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const basePath = basePathOf(pathname);
  const focusedPath = useRef(basePath);
  useEffect(() => {
    if (focusedPath.current === basePath) return;
    focusedPath.current = basePath;
    const heading = document.querySelector<HTMLElement>("main h1") ?? document.getElementById("content");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [basePath]);
}
