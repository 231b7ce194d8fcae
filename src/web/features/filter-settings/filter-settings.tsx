/**
 * Where a person says what to watch and which chats to alert, and sees the state of the watch. Everything comes and goes
 * through supabase-js; who checks and who sends is unknown here.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { recheckSession } from "#web/lib/backend/supabase.ts";
import { useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { FilterPage } from "./filter-page.tsx";
import { fetchFilter } from "./form/filter-calls.ts";
import type { FormState } from "./form/form-state.ts";

export function FilterSettings() {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const filter = useQuery({
    queryKey: ["filter", userId],
    queryFn: () => fetchFilter(userId),
    retry: 1,
  });
  useLiveRows(userId);
  useNotifyOfFailure(filter.data === undefined ? filter.error : null);
  const [mode, setMode] = useState<FormState["mode"]>();
  return (
    <div
      className={cn(
        "mx-auto grid min-h-[70vh] content-start gap-5 px-4 pt-5 pb-16 sm:px-5 md:gap-6 md:pt-10 md:pb-24",
        mode === "edit" ? "max-w-6xl" : "max-w-2xl",
      )}
    >
      <Heading mode={mode} />
      {filter.data !== undefined ? (
        <FilterPage key={userId} userId={userId} row={filter.data} onModeChange={setMode} />
      ) : filter.isError ? (
        <FailureNotice message={t("messages.errorLoad")}>
          <p className="text-muted">{t("messages.errorLoadAdvice")}</p>
          <Button variant="outline" className="mt-1 justify-self-start" onClick={() => void filter.refetch()}>
            {t("messages.retry")}
          </Button>
        </FailureNotice>
      ) : (
        <Loading />
      )}
    </div>
  );
}

const FOLLOWED = {
  chats: "*",
  filter_settings: "*",
  listings: "INSERT",
  mail_addresses: "*",
  received_mails: "*",
} as const;

/** A changed list of ids changes the chats, and a chat that connects itself changes the list. */
const FILTER_QUERIES = ["chats", "filter", "watch"];

const QUERIES_OF: Readonly<Record<string, readonly string[]>> = {
  chats: FILTER_QUERIES,
  filter_settings: FILTER_QUERIES,
  listings: ["watch"],
  mail_addresses: ["alert-mails"],
  received_mails: ["alert-mails"],
};

/** Loads again whatever a change of the person's rows makes out of date. A missed one is caught up with on focus. */
function useLiveRows(userId: string): void {
  const queries = useQueryClient();
  const reload = useCallback(
    (table?: string) => {
      const names = (table && QUERIES_OF[table]) || [...FILTER_QUERIES, "alert-mails"];
      for (const name of names) void queries.invalidateQueries({ queryKey: [name, userId] });
    },
    [queries, userId],
  );
  useRowChanges(userId, FOLLOWED, reload);
}

/** One element from first to last: it holds the focus of whoever has just come to the page. */
function Heading({ mode }: { mode: FormState["mode"] | undefined }) {
  const t = useTexts("filter");
  const title = useTexts("common")("pages.filterSettings");
  const isEditing = mode === "edit";
  return (
    <div className={isEditing ? "grid gap-1" : "flex flex-wrap items-baseline justify-between gap-x-4"}>
      <h1 className={isEditing ? "text-3xl md:text-4xl" : "text-lg"}>{title}</h1>
      {mode && (
        <p className={isEditing ? "text-muted" : "hidden text-sm text-muted sm:block"}>
          {isEditing ? t("page.manage") : t("page.setUp")}
        </p>
      )}
    </div>
  );
}

function useNotifyOfFailure(error: Error | null): void {
  const t = useTexts("filter");
  useEffect(() => {
    if (!error) return;
    logProblem("The filter could not be loaded", error);
    notify({ kind: "destructive", title: t("messages.error"), description: t("messages.errorLoad") });
    void recheckSession();
  }, [error, t]);
}

function Loading() {
  const t = useTexts("filter");
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">{t("page.loading")}</span>
      <Skeleton className="h-36 rounded-2xl" />
      <Skeleton className="h-24 rounded-2xl" />
      <Skeleton className="h-44 rounded-2xl" />
    </div>
  );
}
