import { useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useEffectEvent } from "react";
import { useSession } from "../lib/auth/session.ts";
import { prefetchFinds } from "../lib/backend/finds.ts";
import { usePreloadTexts } from "../lib/i18n/use-texts.ts";
import { LocalLink } from "./local-link.tsx";

interface FindsLinkProps extends Omit<ComponentProps<typeof LocalLink>, "to"> {
  /** The link is in a menu that was just opened. */
  isLikely?: boolean;
}

/**
 * A link to the finds. The page is loaded when the link is shown; its first cards and texts when a pointer comes near.
 */
export function FindsLink({ isLikely = false, ...props }: FindsLinkProps) {
  const queries = useQueryClient();
  const { user } = useSession();
  const preloadTexts = usePreloadTexts();
  const prepare = () => {
    if (!user) return;
    prefetchFinds(queries, user.id);
    preloadTexts("finds", "home");
  };
  const prepareIfLikely = useEffectEvent(() => isLikely && prepare());
  useEffect(() => void prepareIfLikely(), []);
  return (
    <LocalLink
      to="/finds"
      preload="shown"
      onPointerEnter={prepare}
      onTouchStart={prepare}
      onFocus={prepare}
      {...props}
    />
  );
}
