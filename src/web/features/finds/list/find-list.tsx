import { ArrowUp } from "lucide-react";
import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from "react";
import type { FindFilter } from "#core/finds/find.ts";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useRecheckSession } from "#web/lib/auth/use-recheck-session.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FindCard } from "./card/find-card.tsx";
import { EmptyList } from "./empty-list.tsx";
import { useEndOfList, type useFinds } from "./use-finds.ts";

const FIRST_SKELETONS = 4;
const FIRST_CARDS = 3;

interface FindListProps {
  list: RefObject<HTMLDivElement | null>;
  query: ReturnType<typeof useFinds>;
  filter: FindFilter;
  hasSearch: boolean | undefined;
  freshCount: number;
  onShowNew(): void;
}

export function FindList({ query, filter, hasSearch, ...feed }: FindListProps) {
  const t = useTexts("finds");
  const { finds, error, hasNextPage } = query;
  useRecheckSession(query.failureCount > 0);
  const firstError = query.data === undefined ? error : null;
  useEffect(() => {
    if (firstError) logProblem("The finds could not be loaded", firstError);
  }, [firstError]);

  if (isMissing(query)) {
    return (
      <FailureNotice
        message={t("list.failed")}
        retry={{ text: t("list.retry"), onRetry: () => void query.refetch() }}
      >
        <p className="text-muted">{t("list.failedAdvice")}</p>
      </FailureNotice>
    );
  }
  const isKnown = query.data !== undefined && (finds.length > 0 || (!hasNextPage && hasSearch !== undefined));
  if (!isKnown) {
    return (
      <div role="status" className="grid grid-cols-1 gap-4">
        <span className="sr-only">{t("loading")}</span>
        <CardSkeletons count={FIRST_SKELETONS} />
      </div>
    );
  }
  if (finds.length === 0) return <EmptyList filter={filter} hasSearch={hasSearch === true} />;
  return <Feed query={query} {...feed} />;
}

function Feed({ list, query, freshCount, onShowNew }: Omit<FindListProps, "filter" | "hasSearch">) {
  const t = useTexts("finds");
  const { finds, count, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // Renders one screen of cards first, then doubles the number, so that a person who scrolls at once finds the next
  // cards.
  const [drawnCount, setDrawnCount] = useState(FIRST_CARDS);
  const isDrawn = drawnCount >= finds.length;
  useEffect(() => {
    if (!isDrawn) startTransition(() => setDrawnCount(drawnCount * 2));
  }, [isDrawn, drawnCount]);
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const isWatched = isDrawn && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const end = useEndOfList(loadMore, isWatched);
  return (
    <>
      <FreshPill count={freshCount} list={list} onShow={onShowNew} />
      <div
        ref={list}
        role="feed"
        aria-label={t("list.label")}
        aria-busy={isFetchingNextPage}
        className="grid grid-cols-1 gap-3 sm:gap-4"
      >
        {finds.slice(0, drawnCount).map((find, index) => (
          <FindCard
            key={find.homeId}
            find={find}
            position={index + 1}
            count={Math.max(count ?? -1, finds.length)}
          />
        ))}
      </div>
      {/* New cards replace this element; with scroll anchoring on it the page would jump. */}
      <div ref={end} className="mt-4 grid grid-cols-1 gap-4 [overflow-anchor:none]">
        {isFetchNextPageError ? (
          <FailureNotice
            message={t("list.moreFailed")}
            retry={{ text: t("list.retry"), onRetry: loadMore }}
          />
        ) : hasNextPage ? (
          <CardSkeletons count={2} />
        ) : (
          <p className="py-4 text-center text-sm text-muted">{t("list.end")}</p>
        )}
      </div>
    </>
  );
}

interface FreshPillProps {
  count: number;
  list: RefObject<HTMLDivElement | null>;
  onShow(): void;
}

/** New homes wait until the person asks for them. */
function FreshPill({ count, list, onShow }: FreshPillProps) {
  const t = useTexts("finds");
  const isAsked = useRef(false);
  useEffect(() => {
    if (count > 0 || !isAsked.current) return;
    isAsked.current = false;
    window.scrollTo({ top: 0 });
    list.current?.querySelector<HTMLElement>("[data-find]")?.focus({ preventScroll: true });
  }, [count, list]);
  return (
    <div role="status" className="pointer-events-none sticky top-3 z-20 grid h-0 justify-items-center">
      {count > 0 && (
        <button
          type="button"
          onClick={() => {
            isAsked.current = true;
            onShow();
          }}
          className="pointer-events-auto flex h-11 cursor-pointer items-center gap-1.5 rounded-full bg-lantern px-5 font-semibold text-on-lantern shadow-lantern hover:bg-lantern-strong motion-safe:animate-menu-in"
        >
          <ArrowUp aria-hidden className="size-4.5" />
          {t("list.fresh", { count })}
        </button>
      )}
    </div>
  );
}

/** As high as the card of a typical home. */
function CardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      key={index}
      aria-hidden
      className="grid h-68 grid-cols-[6.5rem_minmax(0,1fr)] overflow-hidden rounded-2xl border border-line bg-surface sm:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[19.5rem_minmax(0,1fr)]"
    >
      <Skeleton className="m-3 mr-0 h-26 sm:m-0 sm:h-full" />
      <div className="grid content-start gap-3 p-3 sm:p-5">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="h-7 w-1/3" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="mt-4 h-10 w-full sm:w-2/3" />
      </div>
    </div>
  ));
}
