import { useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useEffectEvent } from "react";
import { useSession } from "../lib/auth/session.ts";
import { prefetchFinds } from "../lib/backend/finds.ts";
import { usePreloadTexts } from "../lib/i18n/use-texts.ts";
import { LocalLink } from "./local-link.tsx";

interface FindsLinkProps extends Omit<ComponentProps<typeof LocalLink>, "to"> {
  /** It stands in a menu that somebody has just opened. */
  isLikely?: boolean;
}

/**
 * Leads to the finds. The page is loaded as soon as the link is shown, which it is to people with an account; its first cards
 * and words are asked for when a finger or pointer comes near.
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
      prefetch="render"
      onPointerEnter={prepare}
      onTouchStart={prepare}
      onFocus={prepare}
      {...props}
    />
  );
}
