import { useMatches } from "react-router";
import type { Namespace } from "#text/namespaces.ts";

export interface PageHandle {
  /** Namespaces besides `common`; their texts are part of its prerendered HTML. */
  namespaces: readonly Namespace[];
  /** The header lies on the night sky of the hero. */
  startsAtNight?: boolean;
  /** Only for people who are signed in. */
  isPrivate?: boolean;
  /** Shown at addresses that it was not rendered for. */
  isNotFound?: boolean;
}

const NOTHING_SPECIAL: PageHandle = { namespaces: [] };

/** The page's own, with the namespaces of the frame around it. */
export function usePageHandle(): PageHandle {
  const handles = useMatches().flatMap(({ handle }) => (handle as PageHandle | undefined) ?? []);
  return {
    ...(handles.at(-1) ?? NOTHING_SPECIAL),
    namespaces: handles.flatMap(({ namespaces }) => namespaces),
  };
}
