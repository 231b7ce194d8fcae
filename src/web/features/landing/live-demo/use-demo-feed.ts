import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { type ShownListing, sampleListings } from "./demo-listing.ts";
import type { DemoProps } from "./demo-props.ts";
import { fetchDemoListings, fetchOwnListings, hasSearch } from "./fetch-listings.ts";

const RELOAD_MS = 60_000;

export type DemoFeed =
  | { state: "loading" }
  | { state: "empty"; hasSearch: boolean }
  | { state: "list"; origin: "own" | "demo" | "sample"; listings: ShownListing[] };

/**
 * loading ─► list (own)    signed in, with listings     list (own) ─► list (own) on each insert
 *        ├─► empty         signed in without listings: none found yet, or no search
 *        ├─► list (demo)   guest
 *        └─► list (sample) guest without demo rows, or anyone if the request fails
 * A sign-in or sign-out starts again with the query of that person.
 */
export function useDemoFeed({ texts, userId }: DemoProps): DemoFeed {
  const { answer, reload } = useListings(userId);
  useRowChanges(userId, FOLLOWED, reload);
  const samples = useMemo(() => sampleListings(texts.samples, new Date()), [texts]);
  return useMemo(() => feedOf(answer, userId, samples), [answer, userId, samples]);
}

const FOLLOWED = { listings: "INSERT" } as const;

/** The last answer and whose it is; null if the request failed. */
interface Answer {
  userId: string | undefined;
  found: Found | null;
}

interface Found {
  listings: ShownListing[];
  hasSearch: boolean;
}

/** Loads at once, every minute while the page is visible, and when it becomes visible again. */
function useListings(userId: string | undefined): { answer: Answer | undefined; reload: () => void } {
  const [known, setKnown] = useState<Answer>();
  const latest = useRef(0);
  const reload = useCallback(() => {
    latest.current += 1;
    const asked = latest.current;
    const keep = (found: Found | null) => {
      if (asked !== latest.current) return;
      // Keep the previous answer if a reload fails.
      setKnown((before) =>
        found === null && before && before.userId === userId ? before : { userId, found },
      );
    };
    fetchListings(userId).then(keep, (error: unknown) => {
      logProblem("The latest listings could not be loaded", error);
      keep(null);
    });
  }, [userId]);
  useEffect(() => {
    const reloadIfSeen = () => {
      if (document.visibilityState === "visible") reload();
    };
    reload();
    const timer = setInterval(reloadIfSeen, RELOAD_MS);
    document.addEventListener("visibilitychange", reloadIfSeen);
    return () => {
      latest.current += 1;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", reloadIfSeen);
    };
  }, [reload]);
  return { answer: known?.userId === userId ? known : undefined, reload };
}

async function fetchListings(userId: string | undefined): Promise<Found> {
  const [found] = await Promise.all([fetchFound(userId), prepareFormats()]);
  return found;
}

async function fetchFound(userId: string | undefined): Promise<Found> {
  if (userId === undefined) return { listings: await fetchDemoListings(), hasSearch: true };
  const listings = await fetchOwnListings(userId);
  return { listings, hasSearch: listings.length > 0 || (await hasSearch(userId)) };
}

function feedOf(answer: Answer | undefined, userId: string | undefined, samples: ShownListing[]): DemoFeed {
  if (answer === undefined) return { state: "loading" };
  const { found } = answer;
  if (found && found.listings.length > 0) {
    return { state: "list", origin: userId === undefined ? "demo" : "own", listings: found.listings };
  }
  if (found && userId !== undefined) return { state: "empty", hasSearch: found.hasSearch };
  return { state: "list", origin: "sample", listings: samples };
}

const LONGEST_WAIT_MS = 2000;

let preparing: Promise<void> | undefined;

/**
 * The first number formatted on a page makes the browser read its list of locales, which blocks a phone for a tenth of
 * a second. Chromium shares the list between the threads of a page, so a worker reads it. Never fails: without the
 * worker the first number is slower.
 */
function prepareFormats(): Promise<void> {
  preparing ??= new Promise<void>((resolve) => {
    setTimeout(resolve, LONGEST_WAIT_MS);
    const worker = new Worker(new URL("./formats-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = () => resolve();
    worker.onerror = () => resolve();
  }).catch((error: unknown) => logProblem("The number formats could not be prepared", error));
  return preparing;
}
