import { useMatches } from "react-router";
import type { PageHandle } from "./surfaces.ts";

const NOTHING_SPECIAL: PageHandle = { surfaces: [] };

/** What the shown route said about itself. */
export function usePageHandle(): PageHandle {
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  return handle ?? NOTHING_SPECIAL;
}
