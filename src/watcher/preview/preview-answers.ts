import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { ListingPreview, SearchPreview } from "#core/search/search-preview.ts";
import { parseListingUrl } from "#core/search/url/parse-search-url.ts";
import { listenFor } from "#platform/database/listen-for.ts";
import { createWakeUp } from "#platform/timing.ts";
import { type AskedPreview, answerPreview, readAskedPreviews } from "../rows/previews.ts";
import { previewListing } from "./preview-listing.ts";
import { previewSearch } from "./preview-search.ts";

interface PreviewAnswersOptions {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly now: () => number;
  readonly logger: Logger;
}

const SWEEP_MS = 15_000;
const AT_ONCE = 20;

/** Answers preview requests one after the other, independently of the checks. */
export function createPreviewAnswers({ sql, databaseUrl, now, logger }: PreviewAnswersOptions) {
  const wakeUp = createWakeUp();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let listener: { stop(): Promise<void> } | undefined;

  function previewOf({ userId, filterUrl }: AskedPreview): Promise<SearchPreview | ListingPreview> {
    const listingId = parseListingUrl(filterUrl);
    return listingId === undefined
      ? previewSearch(sql, filterUrl, new Date(now()))
      : previewListing(sql, userId, listingId);
  }

  async function answerAll(): Promise<void> {
    for (;;) {
      const asked = await readAskedPreviews(sql, new Date(now()), AT_ONCE);
      for (const one of asked) {
        if (stopping.signal.aborted) return;
        await answerPreview(sql, one, await previewOf(one));
      }
      if (asked.length < AT_ONCE) return;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await answerAll().catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error({ err: error }, "could not answer previews");
      });
      await wakeUp.sleep(SWEEP_MS);
    }
  }

  return {
    start: () => {
      listener = listenFor({
        url: databaseUrl,
        channel: "previews",
        onNotification: wakeUp.call,
        onListening: wakeUp.call,
      });
      running = run();
    },
    stop: async () => {
      stopping.abort();
      wakeUp.call();
      await listener?.stop();
      await running;
    },
  };
}
