import { useMatches } from "react-router";
import type { PageHandle } from "../i18n/namespaces.ts";

const NOTHING_SPECIAL: PageHandle = { namespaces: [] };

/** What the shown route said about itself. */
export function usePageHandle(): PageHandle {
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  return handle ?? NOTHING_SPECIAL;
}
