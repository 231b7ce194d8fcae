import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { type DemoListing, sampleListings } from "./demo-listing.ts";
import { fetchDemoListings, fetchOwnListings } from "./fetch-listings.ts";

const RELOAD_MS = 60_000;

export type DemoFeed =
  | { state: "loading" }
  | { state: "empty" }
  | { state: "list"; origin: "own" | "demo" | "sample"; listings: DemoListing[] };

/**
 * loading ─► list (own)    signed in, with listings     list (own) ─► list (own) on each insert
 *        ├─► empty         signed in, without any
 *        ├─► list (demo)   guest
 *        └─► list (sample) guest without demo rows, or anyone when fetching fails
 * A sign-in or sign-out begins again with that person's own query.
 */
export function useDemoFeed(): DemoFeed {
  const { user, isLoading } = useSession();
  const isIdle = useIdle();
  const userId = user?.id;
  const { data, error } = useQuery({
    queryKey: ["latest-listings", userId ?? "guest"],
    queryFn: () => fetchListings(userId),
    enabled: isIdle && !isLoading,
    // Offline is a failure like any other: the sample answers it.
    networkMode: "always",
    retry: false,
    refetchInterval: RELOAD_MS,
  });
  useReloadOnInsert(userId);
  useEffect(() => {
    if (error) logProblem("The latest listings could not be loaded", error);
  }, [error]);

  const samples = useSamples();
  return useMemo(
    () => feedOf({ data, hasFailed: error !== null, userId, samples }),
    [data, error, userId, samples],
  );
}

async function fetchListings(userId: string | undefined): Promise<DemoListing[]> {
  const [listings] = await Promise.all([
    userId === undefined ? fetchDemoListings() : fetchOwnListings(userId),
    prepareFormats(),
  ]);
  return listings;
}

interface Loaded {
  data: DemoListing[] | undefined;
  hasFailed: boolean;
  userId: string | undefined;
  samples: DemoListing[];
}

function feedOf({ data, hasFailed, userId, samples }: Loaded): DemoFeed {
  const sample: DemoFeed = { state: "list", origin: "sample", listings: samples };
  if (data === undefined) return hasFailed ? sample : { state: "loading" };
  if (data.length > 0)
    return { state: "list", origin: userId === undefined ? "demo" : "own", listings: data };
  return userId === undefined ? sample : { state: "empty" };
}

function useSamples(): DemoListing[] {
  const t = useTexts("landing");
  return useMemo(() => sampleListings(t("demo.samples", { returnObjects: true }), new Date()), [t]);
}

const FOLLOWED = { listings: "INSERT" } as const;

function useReloadOnInsert(userId: string | undefined): void {
  const queries = useQueryClient();
  const reload = useCallback(
    () => void queries.invalidateQueries({ queryKey: ["latest-listings", userId] }),
    [queries, userId],
  );
  useRowChanges(userId, FOLLOWED, reload);
}

const LONGEST_WAIT_MS = 2000;

let preparing: Promise<void> | undefined;

/**
 * The first number a page formats makes the browser read its list of locales, which stops a phone for a tenth of a
 * second. Chromium keeps one list for all threads of a page: read in a worker, it stops nobody. Never fails: without
 * the worker the first number takes as long as it takes.
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
