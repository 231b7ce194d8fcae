import { useQuery, useQueryClient } from "@tanstack/react-query";
import { BellRing, CircleCheck } from "lucide-react";
import type { ListingPreview } from "#core/search/search-preview.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { homeLine } from "#text/home-words.ts";
import { formatPrice } from "#text/labels.ts";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { codeOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useLoaded } from "#web/lib/backend/use-loaded.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { previewQuery } from "./fetch-preview.ts";
import { SearchQuestions } from "./search-questions.tsx";

interface ListingLinkProps {
  listingId: string;
  /** Continues with a search for similar homes. */
  onUrlChange(url: string): void;
}

/** Leads from the link of one listing to a search for similar ones, or to watching this one. */
export function ListingLinkPart({ listingId, onUrlChange }: ListingLinkProps) {
  const t = useTexts("filter");
  const url = `https://www.idealista.com/inmueble/${listingId}/`;
  const userId = useSession().user?.id ?? "";
  const preview = useQuery({
    ...previewQuery(userId, url),
    select: (answer) => (answer && "similarUrl" in answer ? answer : null),
  });
  if (!useLoaded(preview)) {
    return (
      <div role="status">
        <span className="sr-only">{t("listing.loading")}</span>
        <Skeleton className="h-24 rounded-xl" />
      </div>
    );
  }
  const known = preview.data ?? null;
  return (
    <div className="grid gap-4">
      {known?.listing && <KnownHome listing={known.listing} />}
      {known?.similarUrl ? (
        <SimilarSearch url={known.similarUrl} onUrlChange={onUrlChange} />
      ) : (
        <>
          <p>{t("listing.unknown")}</p>
          <SearchQuestions onSearch={onUrlChange} />
        </>
      )}
      {known?.canBeWatched && <WatchThisOne listingId={listingId} url={url} isKept={known.isKept} />}
    </div>
  );
}

function KnownHome({ listing }: { listing: NonNullable<ListingPreview["listing"]> }) {
  const words = useWords("home");
  return (
    <p className="wrap-anywhere">
      {homeLine(listing.card, words)}
      <span className="figures font-semibold">
        {"\u00a0· "}
        {formatPrice(listing.card.priceEur, words.language)}
      </span>
    </p>
  );
}

function SimilarSearch({ url, onUrlChange }: { url: string; onUrlChange(url: string): void }) {
  const t = useTexts("filter");
  const words = useWords("search");
  const parsed = parseSearchUrl(url);
  return (
    <div className="grid gap-2">
      <Button variant="lantern" size="lg" className="sm:justify-self-start" onClick={() => onUrlChange(url)}>
        {t("listing.similar")}
      </Button>
      {parsed.ok && (
        <p className="text-md text-muted wrap-anywhere">{describeSearch(parsed.search, words).text}</p>
      )}
    </div>
  );
}

interface WatchThisOneProps {
  listingId: string;
  url: string;
  isKept: boolean;
}

function WatchThisOne({ listingId, url, isKept }: WatchThisOneProps) {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const queries = useQueryClient();
  const { isBusy, error, run } = useAction({
    run: async () => dataOf(await (await loadSupabase()).rpc("watch_listing", { listing_id: listingId })),
    onSuccess: () => {
      queries.setQueryData(queryKeys.preview(userId, url), (before: ListingPreview) => ({
        ...before,
        isKept: true,
      }));
      return undefined;
    },
    failure: null,
  });
  if (isKept) {
    return (
      <p role="status" className="flex items-center gap-2 border-t border-line pt-4 font-semibold text-good">
        <CircleCheck aria-hidden className="size-5 shrink-0" />
        {t("listing.watched")}
      </p>
    );
  }
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <Button variant="outline" className="sm:justify-self-start" disabled={isBusy} onClick={() => run()}>
        <BellRing aria-hidden className="size-4.5 shrink-0" />
        {t("listing.watch")}
      </Button>
      <p className="text-md text-muted">{t("listing.promise")}</p>
      {error && <FailureNotice message={t(failureOf(codeOf(error)))} />}
    </div>
  );
}

function failureOf(code: string) {
  if (code === "listing-not-seen") return "listing.notSeen";
  return code === "too-many-listings" ? "listing.tooMany" : "listing.failed";
}
