import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { basePathOf, LANGUAGES, languageOfPath } from "#core/languages.ts";
import { destinationOf } from "../lib/site/destination-of.ts";

/** What a change of address inside the app asks for: recovery links followed, focus moved to the new page. */
export function useNavigationEffects(): void {
  useRecoveryLinks();
  useFocusOnNavigation();
}

/** A link pasted into an open tab changes the fragment alone, and no page loads that could look at it. */
function useRecoveryLinks(): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const target = destinationOf({
      pathname,
      search,
      hash,
      storedLanguage: languageOfPath(pathname),
      browserLanguages: [],
      languages: LANGUAGES,
    });
    if (target !== null) void navigate(target, { replace: true });
  }, [pathname, search, hash, navigate]);
}

/** A new page is announced by its heading; the same page in another language leaves the focus where it was. */
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
