import { useCallback } from "react";
import { type NavigateOptions, useNavigate as useRouterNavigate } from "react-router";
import { sitePath } from "#core/site-path.ts";
import { pathBeside } from "../mini-app/app-path.ts";

export type Navigate = (to: string | number, options?: NavigateOptions) => Promise<void>;

/**
 * The router's `navigate`, restricted to this site: the router loads any address that the browser's history refuses,
 * and paths come from the address bar. A number goes back or forward; a query alone stays on the page.
 */
export function useNavigate(): Navigate {
  const navigate = useRouterNavigate();
  return useCallback(
    async (to, options) => {
      if (typeof to === "number") await navigate(to);
      else if (to.startsWith("?")) await navigate(to, options);
      else await navigate(pathBeside(window.location.pathname, sitePath(to)), options);
    },
    [navigate],
  );
}
