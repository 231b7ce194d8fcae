import { type ComponentProps, useEffect, useEffectEvent } from "react";
import { Link, useLocation } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { useLanguage } from "../lib/i18n/use-texts.ts";
import { pathBeside } from "../lib/mini-app/app-path.ts";
import { preloadRoute } from "../lib/parts/preload-route.ts";

type LocalLinkProps = Omit<ComponentProps<typeof Link>, "to" | "prefetch"> & {
  to: string;
  /** When the page is loaded ahead: when a pointer or the focus comes near, or as soon as the link is shown. */
  preload?: "near" | "shown";
};

/** A link to one of our pages, in the language of the current page. */
export function LocalLink({ to, preload = "near", ...props }: LocalLinkProps) {
  const address = pathBeside(useLocation().pathname, localizedPath(to, useLanguage()));
  const prepareIfShown = useEffectEvent(() => preload === "shown" && preloadRoute(address));
  useEffect(() => void prepareIfShown(), []);
  const { onPointerEnter, onFocus, onTouchStart } = props;
  return (
    <Link
      to={address}
      {...props}
      onPointerEnter={(event) => {
        preloadRoute(address);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        preloadRoute(address);
        onFocus?.(event);
      }}
      onTouchStart={(event) => {
        preloadRoute(address);
        onTouchStart?.(event);
      }}
    />
  );
}
