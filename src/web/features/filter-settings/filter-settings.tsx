/**
 * Where a person says what to watch and whom to tell, and sees how the watch fares. Everything comes and goes
 * through supabase-js; who checks and who sends is unknown here.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { logProblem } from "../../lib/log.ts";
import { useSession } from "../../lib/session.ts";
import { notify } from "../../lib/toast.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { fetchFilter, recheckSession } from "./filter-calls.ts";
import { FilterPage } from "./filter-page.tsx";
import { PageTitle } from "./page-title.tsx";
import { useLiveRows } from "./use-live-rows.ts";

export function FilterSettings() {
  const userId = useSession().user?.id ?? "";
  const filter = useQuery({
    queryKey: ["filter", userId],
    queryFn: () => fetchFilter(userId),
    retry: 1,
  });
  useLiveRows(userId);
  useTellFailure(filter.data === undefined ? filter.error : null);
  if (filter.data !== undefined) return <FilterPage key={userId} userId={userId} row={filter.data} />;
  if (filter.isError) return <LoadFailure onRetry={() => void filter.refetch()} />;
  return <Loading />;
}

function useTellFailure(error: Error | null): void {
  const t = useTexts("filter");
  useEffect(() => {
    if (!error) return;
    logProblem("The filter could not be loaded", error);
    notify({ kind: "destructive", title: t("messages.error"), description: t("messages.errorLoad") });
    void recheckSession();
  }, [error, t]);
}

function LoadFailure({ onRetry }: { onRetry(): void }) {
  const t = useTexts("filter");
  return (
    <div className="mx-auto grid max-w-2xl gap-6 px-4 py-10 sm:px-5 md:py-16">
      <h1 className="text-3xl md:text-4xl">
        <PageTitle />
      </h1>
      <FailureNotice message={t("messages.errorLoad")}>
        <p className="text-muted">{t("messages.errorLoadAdvice")}</p>
        <Button variant="outline" className="mt-1 justify-self-start" onClick={onRetry}>
          {t("messages.retry")}
        </Button>
      </FailureNotice>
    </div>
  );
}

function Loading() {
  const t = useTexts("filter");
  return (
    <div className="mx-auto grid max-w-2xl gap-5 px-4 py-8 sm:px-5 md:py-14">
      <h1 className="text-3xl md:text-4xl">
        <PageTitle />
      </h1>
      <div role="status" className="grid gap-5">
        <span className="sr-only">{t("page.loading")}</span>
        <Skeleton className="h-36 rounded-2xl" />
        <Skeleton className="h-24 rounded-2xl" />
        <Skeleton className="h-44 rounded-2xl" />
      </div>
    </div>
  );
}
