/** What a person sets for their finds: places of their own, signs to look twice, what a message says of them. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { useRecheckSession } from "#web/lib/auth/use-recheck-session.ts";
import { useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FailureNotice } from "../../../components/failure-notice.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { MessagePanel } from "./message-panel.tsx";
import { fetchPlaces } from "./place-calls.ts";
import { PlacesPanel } from "./places-panel.tsx";
import { fetchFindSettings, settingsKey } from "./settings-calls.ts";
import { SignsPanel } from "./signs-panel.tsx";

/** Another device changes them, and the bot sets a place. */
const FOLLOWED = { own_places: "*", find_settings: "*" } as const;

export function FindsSettings() {
  const t = useTexts("finds-settings");
  const userId = useSession().user?.id ?? "";
  const places = useQuery({
    queryKey: ["own-places", userId],
    queryFn: () => fetchPlaces(userId),
    retry: 1,
  });
  const settings = useQuery({
    queryKey: settingsKey(userId),
    queryFn: () => fetchFindSettings(userId),
    retry: 1,
  });
  const queries = useQueryClient();
  const follow = useCallback(() => {
    for (const name of ["own-places", "find-settings"])
      void queries.invalidateQueries({ queryKey: [name, userId] });
  }, [queries, userId]);
  useRowChanges(userId, FOLLOWED, follow);
  useRecheckSession(places.failureCount > 0 || settings.failureCount > 0);
  if (places.isPending || settings.isPending) return <Loading />;
  const retryOf = (query: { refetch(): Promise<unknown> }) => ({
    text: t("retry"),
    onRetry: () => void query.refetch(),
  });
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      {places.data ? (
        <PlacesPanel userId={userId} places={places.data} />
      ) : (
        <FailureNotice message={t("places.loadFailed")} retry={retryOf(places)} />
      )}
      {settings.data ? (
        <>
          <SignsPanel userId={userId} settings={settings.data} />
          <MessagePanel userId={userId} saved={settings.data.profile} />
        </>
      ) : (
        <FailureNotice message={t("loadFailed")} retry={retryOf(settings)} />
      )}
    </div>
  );
}

function Loading() {
  const t = useTexts("finds-settings");
  return (
    <div role="status" className="mx-auto grid w-full max-w-3xl gap-5">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-56 rounded-2xl" />
      <Skeleton className="h-96 rounded-2xl" />
      <Skeleton className="h-96 rounded-2xl" />
    </div>
  );
}
