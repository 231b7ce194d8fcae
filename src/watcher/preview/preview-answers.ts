import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import type { ListingPreview, SearchPreview } from "#core/search/search-preview.ts";
import { similarSearch } from "#core/search/similar-search.ts";
import { parseListingUrl } from "#core/search/url/parse-search-url.ts";
import { listenFor } from "#platform/database/listen-for.ts";
import { createWakeUp } from "#platform/timing.ts";
import { readLinkedListing } from "#store/listings/linked-listing.ts";
import { type AskedPreview, answerPreview, readAskedPreviews } from "../rows/previews.ts";
import { previewSearch } from "./preview-search.ts";

interface PreviewAnswersOptions {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly now: () => number;
  readonly logger: Logger;
}

const SWEEP_MS = 15_000;
const AT_ONCE = 20;
const UNKNOWN: ListingPreview = { listing: null, similarUrl: null, canBeWatched: false, isKept: false };

/** Answers preview requests one after the other, independently of the checks. */
export function createPreviewAnswers({ sql, databaseUrl, now, logger }: PreviewAnswersOptions) {
  const wakeUp = createWakeUp();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let listener: { stop(): Promise<void> } | undefined;

  function previewOf({ userId, filterUrl }: AskedPreview): Promise<SearchPreview | ListingPreview> {
    const listingId = parseListingUrl(filterUrl);
    return listingId === undefined || userId === null
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

/** A link to one listing, from what feeds and the person's own alert mails have seen of it. */
async function previewListing(sql: Sql, userId: string, listingId: string): Promise<ListingPreview> {
  const known = await readLinkedListing(sql, userId, listingId);
  if (known === undefined) return UNKNOWN;
  const { card, priceEur, similarTo, canBeWatched, isKept } = known;
  const similar = similarTo === null ? undefined : similarSearch(similarTo);
  return {
    listing: { id: listingId, card: { ...card, priceEur } },
    similarUrl: similar === undefined ? null : normaliseSearch(similar).canonicalUrl,
    canBeWatched,
    isKept,
  };
}
