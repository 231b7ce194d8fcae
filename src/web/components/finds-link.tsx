import { useQueryClient } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../lib/auth/session.ts";
import { prefetchFinds } from "../lib/backend/finds.ts";
import { useLanguage } from "../lib/i18n/use-texts.ts";
import { LocalLink } from "./local-link.tsx";

/** Leads to the finds; their first cards and words are asked for while a finger or pointer comes near, beside the page itself. */
export function FindsLink(props: Omit<ComponentProps<typeof LocalLink>, "to">) {
  const queries = useQueryClient();
  const { user } = useSession();
  const { i18n } = useTranslation();
  const language = useLanguage();
  const prepare = () => {
    if (!user) return;
    prefetchFinds(queries, user.id);
    if (language !== "en") i18n.loadNamespaces("finds").catch(() => undefined);
  };
  return (
    <LocalLink to="/finds" onPointerEnter={prepare} onTouchStart={prepare} onFocus={prepare} {...props} />
  );
}
