import type { ComponentProps } from "react";
import { Link } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { useLanguage } from "../lib/i18n/use-texts.ts";

type LocalLinkProps = Omit<ComponentProps<typeof Link>, "to"> & { to: string };

/** A link to one of our pages, in the language of the current page. */
export function LocalLink({ to, ...props }: LocalLinkProps) {
  return <Link to={localizedPath(to, useLanguage())} prefetch="intent" {...props} />;
}
