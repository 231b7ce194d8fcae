/**
 * The page where a person chooses what to watch and which chats to alert, and sees the status. It reads and writes
 * through supabase-js only; the watcher and the sender are unknown here.
 */
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useRecheckSession } from "#web/lib/auth/use-recheck-session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { type SavedSearch, searchesQuery } from "#web/lib/backend/searches.ts";
import { isMissing, useOnce } from "#web/lib/backend/use-loaded.ts";
import { useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { FieldConflicts } from "../../components/parts/field-conflicts.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import { LoadingBlocks } from "../../components/ui/loading-blocks.tsx";
import { FilterPage } from "./filter-page.tsx";
import type { FormState } from "./form/form-state.ts";
import { Heading } from "./heading.tsx";
import { LIST_ADDRESS, newSearchAddress } from "./searches/search-address.ts";
import { type FilterView, useView } from "./searches/use-view.ts";
import { FailedAlerts } from "./watch/failed-alerts.tsx";

// With a single search there is no list.
const SearchList = lazyPart(async () => (await import("./searches/search-list.tsx")).SearchList);

export function FilterSettings() {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const searches = useQuery(searchesQuery(userId));
  useLiveRows(userId);
  useRecheckSession(searches.failureCount > 0);
  useNotifyOfFailure(isMissing(searches));
  const isTakingLink = useLinkInAddress(searches.data);
  const isCurrent = useOnce(searches.data !== undefined && !mayBeOutdated(searches));
  const isAwaited = isTakingLink || !isCurrent;
  const shown = isAwaited ? undefined : searches.data;
  const view = useView(userId, shown);
  const [mode, setMode] = useState<FormState["mode"]>();
  const [saves, setSaves] = useState(0);
  const noteSave = useCallback(() => setSaves((count) => count + 1), []);
  const isList = view?.kind === "list";
  return (
    <div
      className={cn(
        "mx-auto grid min-h-page content-start gap-5 px-4 pt-5 pb-5 sm:px-5 sm:pb-16 md:gap-6 md:px-6 md:pt-10 md:pb-24",
        isList || mode === "edit" ? "max-w-6xl" : "max-w-2xl",
      )}
    >
      <Heading view={view} mode={mode} count={shown?.length ?? 0} saves={saves} />
      <FieldConflicts userId={userId} />
      <FailedAlerts userId={userId} />
      {view && shown ? (
        <Content userId={userId} view={view} searches={shown} onModeChange={setMode} onSaved={noteSave} />
      ) : isMissing(searches) ? (
        <FailureNotice
          message={t("messages.errorLoadAdvice")}
          retry={{ text: t("messages.retry"), onRetry: () => void searches.refetch() }}
        />
      ) : (
        <Loading />
      )}
    </div>
  );
}

/** Stored by an earlier visit: shown once the answer of the server is missing, so that no form opens over old searches. */
function mayBeOutdated({ dataUpdatedAt, fetchStatus }: UseQueryResult): boolean {
  return dataUpdatedAt < performance.timeOrigin && fetchStatus === "fetching";
}

interface ContentProps {
  userId: string;
  view: FilterView;
  searches: readonly SavedSearch[];
  onModeChange(mode: FormState["mode"]): void;
  onSaved(): void;
}

function Content({ userId, view, searches, onModeChange, onSaved }: ContentProps) {
  const language = useLanguage();
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  const showList = useCallback(() => {
    void navigate(localizedPath(LIST_ADDRESS, language), { replace: true });
  }, [navigate, language]);
  if (view.kind === "list") {
    return (
      <Suspense fallback={<Loading />}>
        <SearchList userId={userId} searches={searches} />
      </Suspense>
    );
  }
  const search = view.kind === "search" ? view.search : null;
  return (
    <FilterPage
      key={`${userId} ${view.key}`}
      userId={userId}
      search={search}
      others={searches.filter(({ id }) => id !== search?.id)}
      draftId={view.draftId}
      like={view.kind === "new" ? view.like : undefined}
      link={linkIn(state)}
      onModeChange={onModeChange}
      onSaved={onSaved}
      onAdded={showList}
    />
  );
}

/** A link in the address (`?link=`) starts a search, and is removed from the address before anything is shown. */
function useLinkInAddress(searches: readonly SavedSearch[] | undefined): boolean {
  const [params] = useSearchParams();
  const language = useLanguage();
  const navigate = useNavigate();
  const link = params.get("link");
  const count = searches?.length;
  useEffect(() => {
    if (link === null || count === undefined) return;
    const target = count === 0 ? LIST_ADDRESS : newSearchAddress();
    void navigate(localizedPath(target, language), { replace: true, state: { link } });
  }, [link, count, language, navigate]);
  return link !== null;
}

function linkIn(state: unknown): string {
  if (typeof state !== "object" || state === null || !("link" in state)) return "";
  return typeof state.link === "string" ? state.link : "";
}

const FOLLOWED = {
  chats: "*",
  searches: "*",
  listings: "INSERT",
  mail_addresses: "*",
  received_mails: "*",
} as const;

/** A changed list of chat ids changes the chats, and a chat that connects changes the list. */
type QueryKeyOf = (userId: string) => readonly string[];

const SEARCH_QUERIES = [queryKeys.chats, queryKeys.searches, queryKeys.watch];

const QUERIES_OF: Readonly<Record<string, readonly QueryKeyOf[]>> = {
  chats: SEARCH_QUERIES,
  searches: SEARCH_QUERIES,
  listings: [queryKeys.watch],
  mail_addresses: [queryKeys.alertMails],
  received_mails: [queryKeys.alertMails],
};

/** Reloads what a change of the person's rows makes stale. A missed change is caught up on window focus. */
function useLiveRows(userId: string): void {
  const queries = useQueryClient();
  const reload = useCallback(
    (table?: string) => {
      const keys = (table && QUERIES_OF[table]) || [...SEARCH_QUERIES, queryKeys.alertMails];
      for (const keyOf of keys) void queries.invalidateQueries({ queryKey: keyOf(userId) });
    },
    [queries, userId],
  );
  useRowChanges(userId, FOLLOWED, reload);
}

/** Once, however often the page tries again: the page says so in its place. */
function useNotifyOfFailure(isFailed: boolean): void {
  const t = useTexts("filter");
  useEffect(() => {
    if (isFailed)
      notify({ kind: "destructive", title: t("messages.error"), description: t("messages.errorLoad") });
  }, [isFailed, t]);
}

function Loading() {
  const t = useTexts("filter");
  return <LoadingBlocks label={t("page.loading")} heights={["h-36", "h-24", "h-44"]} />;
}
