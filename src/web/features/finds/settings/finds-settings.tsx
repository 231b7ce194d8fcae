/** Settings for the finds: the person's places, warnings, and what the message to advertisers says about them. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useSession } from "#web/lib/auth/session.ts";
import { useRecheckSession } from "#web/lib/auth/use-recheck-session.ts";
import { useOwnPlaces } from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useLoaded } from "#web/lib/backend/use-loaded.ts";
import { useRowChanges } from "#web/lib/backend/use-row-changes.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { FieldConflicts } from "../../../components/parts/field-conflicts.tsx";
import { FailureNotice } from "../../../components/ui/failure-notice.tsx";
import { LoadingBlocks } from "../../../components/ui/loading-blocks.tsx";
import { useFindSettings } from "../find-settings.ts";
import { MessagePanel } from "./message-panel.tsx";
import { PlacesPanel } from "./places-panel.tsx";
import { WarningsPanel } from "./warnings-panel.tsx";

/** Another device may change them, and the bot may add a place. */
const FOLLOWED = { own_places: "*", find_settings: "*" } as const;

export function FindsSettings() {
  const t = useTexts("finds-settings");
  const userId = useSession().user?.id ?? "";
  const places = useOwnPlaces(userId);
  const settings = useFindSettings(userId);
  const queries = useQueryClient();
  const follow = useCallback(() => {
    for (const keyOf of [queryKeys.ownPlaces, queryKeys.findSettings])
      void queries.invalidateQueries({ queryKey: keyOf(userId) });
  }, [queries, userId]);
  useRowChanges(userId, FOLLOWED, follow);
  useRecheckSession(places.failureCount > 0 || settings.failureCount > 0);
  if (!useLoaded(places, settings)) return <Loading />;
  const retryOf = (query: { refetch(): Promise<unknown> }) => ({
    text: t("retry"),
    onRetry: () => void query.refetch(),
  });
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <FieldConflicts userId={userId} />
      {places.data ? (
        <PlacesPanel userId={userId} places={places.data} />
      ) : (
        <FailureNotice message={t("places.loadFailed")} retry={retryOf(places)} />
      )}
      {settings.data ? (
        <>
          <WarningsPanel userId={userId} settings={settings.data} />
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
    <LoadingBlocks
      label={t("loading")}
      heights={["h-56", "h-96", "h-96"]}
      className="mx-auto w-full max-w-3xl"
    />
  );
}
