/**
 * The page where a person chooses what to watch and which chats to alert, and sees the status. It reads and writes
 * through supabase-js only; the watcher and the sender are unknown here.
 */
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { dropUnreadableDrafts } from "#web/components/form/drafts.ts";
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
import { Heading } from "./heading.tsx";
import { SearchEditor } from "./search-editor.tsx";
import { LIST_ADDRESS, newSearchAddress, searchAddress } from "./searches/search-address.ts";
import { type FilterView, useView } from "./searches/use-view.ts";
import { FailedAlerts } from "./watch/failed-alerts.tsx";
import { trailOf } from "./wizard/use-steps.ts";

// With a single search there is no list.
const SearchList = lazyPart(async () => (await import("./searches/search-list.tsx")).SearchList);

export function FilterSettings() {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const searches = useQuery(searchesQuery(userId));
  useLiveRows(userId);
  useRecheckSession(searches.failureCount > 0);
  useNotifyOfFailure(isMissing(searches));
  useNotifyOfDropped(userId);
  const isTakingLink = useLinkInAddress(searches.data);
  const isCurrent = useOnce(searches.data !== undefined && !mayBeOutdated(searches));
  const isAwaited = isTakingLink || !isCurrent;
  const shown = isAwaited ? undefined : searches.data;
  const leaving = useLeaving();
  const view = useHeld(useView(userId, shown), leaving.isOn);
  useAddressOfOnly(view, leaving.isOn);
  const [saves, setSaves] = useState(0);
  return (
    <div
      className={cn(
        "mx-auto grid min-h-page content-start gap-5 px-4 pt-5 pb-5 sm:px-5 sm:pb-16 md:gap-6 md:px-6 md:pt-10 md:pb-24",
        view?.kind === "list" || view?.search ? "max-w-6xl" : "max-w-2xl",
      )}
    >
      <Heading view={view} searches={shown} saves={saves} />
      <FieldConflicts userId={userId} />
      <FailedAlerts userId={userId} />
      {view && shown ? (
        <Content
          userId={userId}
          view={view}
          searches={shown}
          onLeave={leaving.to}
          onChanged={() => setSaves((count) => count + 1)}
        />
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

interface ContentProps {
  userId: string;
  view: FilterView;
  searches: readonly SavedSearch[];
  onLeave(address: string): void;
  /** A search was saved that stays where it is. */
  onChanged(): void;
}

function Content({ userId, view, searches, onLeave, onChanged }: ContentProps) {
  const { state }: { state: unknown } = useLocation();
  if (view.kind === "list") {
    return (
      <Suspense fallback={<Loading />}>
        <SearchList userId={userId} searches={searches} />
      </Suspense>
    );
  }
  return (
    <SearchEditor
      key={`${userId} ${view.draftId}`}
      {...view}
      userId={userId}
      others={searches.filter(({ id }) => id !== view.search?.id)}
      link={linkIn(state)}
      onSaved={({ search, isNew }) => {
        const isAddition = isNew && searches.length > 0;
        if (view.search) onChanged();
        else onLeave(search && !isAddition ? searchAddress(search.id) : LIST_ADDRESS);
      }}
      onDeleted={() => onLeave(LIST_ADDRESS)}
    />
  );
}

/**
 * After a save or a deletion: back over the steps of the wizard, and on to the given address, so that Back leads from there to
 * the page before. The view is held meanwhile.
 */
function useLeaving(): { isOn: boolean; to(address: string): void } {
  const language = useLanguage();
  const navigate = useNavigate();
  const steps = trailOf(useLocation()).length;
  const [target, setTarget] = useState<string>();
  useEffect(() => {
    if (target === undefined) return;
    if (steps > 0) {
      void navigate(-steps);
      return;
    }
    const arrival = navigate(localizedPath(target, language), { replace: true, state: { isSaved: true } });
    void arrival.then(() => setTarget(undefined));
  }, [target, steps, language, navigate]);
  return { isOn: target !== undefined, to: setTarget };
}

/** The former view while it is held. */
function useHeld(view: FilterView | undefined, isHeld: boolean): FilterView | undefined {
  const [held, setHeld] = useState(view);
  if (isHeld) return held;
  if (view && !isSameView(view, held)) setHeld(view);
  return view;
}

function isSameView(one: FilterView, other: FilterView | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** The only search gets its own address, so that one that is added elsewhere does not take its place. */
function useAddressOfOnly(view: FilterView | undefined, isLeaving: boolean): void {
  const language = useLanguage();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { hash } = useLocation();
  const id = view?.kind === "form" && !isLeaving && !view.isUnknown ? view.search?.id : undefined;
  const isNamed = params.get("search") === id;
  useEffect(() => {
    if (id === undefined || isNamed) return;
    void navigate(localizedPath(searchAddress(id), language) + hash, {
      replace: true,
      preventScrollReset: true,
    });
  }, [id, isNamed, language, hash, navigate]);
}

/** Stored by an earlier visit: shown once the answer of the server is missing, so that no form opens over old searches. */
function mayBeOutdated({ dataUpdatedAt, fetchStatus }: UseQueryResult): boolean {
  return dataUpdatedAt < performance.timeOrigin && fetchStatus === "fetching";
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

function useNotifyOfDropped(userId: string): void {
  const t = useTexts("filter");
  useEffect(() => {
    if (dropUnreadableDrafts(userId))
      notify({ kind: "destructive", ...t("messages.draftDropped", { returnObjects: true }) });
  }, [userId, t]);
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
