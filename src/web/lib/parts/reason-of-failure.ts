import { lookForNewBuild } from "./new-build.ts";

/** Why a part could not be loaded: the server was not reached, or it answered without the part. */
export type LoadFailure = "offline" | "broken";

/** If the part is missing because the server has a newer build, the page offers to load that one. */
export async function reasonOfFailure(): Promise<LoadFailure> {
  if (navigator.onLine === false) return "offline";
  try {
    await lookForNewBuild();
    return "broken";
  } catch {
    return "offline";
  }
}
