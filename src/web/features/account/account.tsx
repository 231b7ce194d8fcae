import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useSession } from "../../lib/session.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { fetchProfile, recheckSession } from "./account-calls.ts";
import { AlertLanguagePanel } from "./alert-language-panel.tsx";
import { DeletePanel } from "./delete-panel.tsx";
import { DetailsPanel } from "./details-panel.tsx";
import { DownloadButton } from "./download-button.tsx";
import { FilterPanel } from "./filter-panel.tsx";
import { Panel } from "./panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

export function Account() {
  const t = useTexts("account");
  const userId = useSession().user?.id ?? "";
  return (
    <div className="mx-auto grid max-w-3xl gap-5 px-4 py-8 sm:px-5 md:py-14">
      <div className="mb-2 grid gap-2">
        <h1 className="text-3xl md:text-4xl">{t("page.title")}</h1>
        <p className="text-muted">{t("page.description")}</p>
      </div>
      <ProfilePanels userId={userId} />
      <SessionsPanel />
      <Panel id="export" title={t("export.title")} description={t("export.description")}>
        <DownloadButton />
      </Panel>
      <DeletePanel />
    </div>
  );
}

function ProfilePanels({ userId }: { userId: string }) {
  const t = useTexts("account");
  const profile = useQuery({
    queryKey: ["profile", userId],
    queryFn: () => fetchProfile(userId),
    retry: 1,
  });
  const hasFailed = profile.failureCount > 0;
  useEffect(() => {
    if (hasFailed) void recheckSession();
  }, [hasFailed]);
  return (
    <>
      {profile.isPending && (
        <div role="status">
          <span className="sr-only">{t("page.loading")}</span>
          <Skeleton className="h-52 rounded-2xl" />
        </div>
      )}
      {profile.isError && (
        <FailureNotice message={t("errors.loadProfile")}>
          <Button
            variant="link"
            size="inline"
            className="justify-self-start"
            onClick={() => void profile.refetch()}
          >
            {t("errors.retry")}
          </Button>
        </FailureNotice>
      )}
      {profile.isSuccess && <DetailsPanel profile={profile.data} />}
      <FilterPanel userId={userId} />
      {profile.isSuccess && <AlertLanguagePanel userId={userId} language={profile.data.language} />}
    </>
  );
}
