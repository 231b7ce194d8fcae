import { useMatches } from "react-router";
import type { Namespace } from "#text/namespaces.ts";

/** What a route tells the frame about itself through its `handle`. */
export interface PageHandle {
  /** Texts it shows beyond `common`; they travel inside its prerendered HTML. */
  namespaces: readonly Namespace[];
  /** Its header lies on the night sky of the hero. */
  startsAtNight?: boolean;
  /** It answers at addresses it was not rendered for. */
  isNotFound?: boolean;
}

const NOTHING_SPECIAL: PageHandle = { namespaces: [] };

/** What the shown route said about itself. */
export function usePageHandle(): PageHandle {
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  return handle ?? NOTHING_SPECIAL;
}
