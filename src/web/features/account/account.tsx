import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect } from "react";
import { useLocation } from "react-router";
import { useSession } from "#web/lib/auth/session.ts";
import { useRecheckSession } from "#web/lib/auth/use-recheck-session.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { searchesQuery } from "#web/lib/backend/searches.ts";
import { useLoaded } from "#web/lib/backend/use-loaded.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Panel } from "../../components/panel.tsx";
import { FieldConflicts } from "../../components/parts/field-conflicts.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import { LoadingBlocks } from "../../components/ui/loading-blocks.tsx";
import {
  accountEventsQuery,
  passwordQuery,
  profileQuery,
  sessionsQuery,
  telegramUserQuery,
} from "./account-calls.ts";
import { ActivityPanel } from "./activity-panel.tsx";
import { AlertLanguagePanel } from "./alert-language-panel.tsx";
import { AwayMailsPanel } from "./away-mails-panel.tsx";
import { DeletePanel } from "./delete-dialog.tsx";
import { DetailsPanel } from "./details-panel.tsx";
import { DownloadButton } from "./download-button.tsx";
import { FilterPanel } from "./filter-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { TelegramPanel } from "./telegram-panel.tsx";
import { useFollowEmail } from "./use-follow-email.ts";

export function Account() {
  const t = useTexts("account");
  return (
    <div className="mx-auto grid max-w-3xl gap-5 px-4 py-8 sm:px-5 md:py-14">
      <div className="mb-2 grid gap-2">
        <h1 className="text-3xl md:text-4xl">{t("page.title")}</h1>
        <p className="text-muted">{t("page.description")}</p>
      </div>
      <Panels />
    </div>
  );
}

/** All panels appear at once: one that came later would move a button just before it is clicked. */
function Panels() {
  const t = useTexts("account");
  const userId = useSession().user?.id ?? "";
  const profile = useQuery(profileQuery(userId));
  const searches = useQuery(searchesQuery(userId));
  const password = useQuery(passwordQuery(userId));
  const sessions = useQuery(sessionsQuery(userId));
  const activity = useQuery(accountEventsQuery(userId));
  const telegramUser = useQuery(telegramUserQuery(userId));
  const isTelegramOffered = useConfig()?.canLinkTelegram ?? false;
  // Nearly every account has a password, and the server checks it in any case.
  const isPasswordAsked = password.data ?? true;
  useRecheckSession(profile.failureCount > 0);
  useFollowEmail(profile);
  const retryOf = (query: { refetch(): Promise<unknown> }) => ({
    text: t("errors.retry"),
    onRetry: () => void query.refetch(),
  });
  // Deferred, because a phone needs longer than a frame to render all panels, and is pressed meanwhile.
  const areLoaded = useDeferredValue(
    useLoaded(profile, searches, password, telegramUser, sessions, activity),
  );
  useScrollToPanel(areLoaded);
  if (!areLoaded) return <Loading />;
  return (
    <>
      <FieldConflicts userId={userId} />
      {profile.data ? (
        <DetailsPanel profile={profile.data} />
      ) : (
        <FailureNotice message={t("errors.loadProfile")} retry={retryOf(profile)} />
      )}
      {searches.data ? (
        <FilterPanel userId={userId} searches={searches.data} />
      ) : (
        <FailureNotice message={t("errors.loadFilter")} retry={retryOf(searches)} />
      )}
      {profile.data && <AlertLanguagePanel userId={userId} language={profile.data.language} />}
      {profile.data && profile.data.email !== null && (
        <AwayMailsPanel userId={userId} isOn={profile.data.hasAwayMails} />
      )}
      <PasswordPanel hasPassword={isPasswordAsked} />
      {isTelegramOffered && telegramUser.data !== undefined && (
        <TelegramPanel telegramUser={telegramUser.data} hasPassword={isPasswordAsked} />
      )}
      <SessionsPanel
        sessions={sessions.data}
        hasPassword={isPasswordAsked}
        onRetry={() => void sessions.refetch()}
      />
      <ActivityPanel
        activity={activity.data}
        hasPassword={isPasswordAsked}
        onRetry={() => void activity.refetch()}
      />
      <Panel id="export" title={t("export.title")} description={t("export.description")}>
        <DownloadButton />
      </Panel>
      <DeletePanel hasPassword={isPasswordAsked} />
    </>
  );
}

/** A link such as /profile#sessions is opened before its panel is rendered. */
function useScrollToPanel(isReady: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (isReady) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isReady, hash]);
}

function Loading() {
  const t = useTexts("account");
  return <LoadingBlocks label={t("page.loading")} heights={["h-56", "h-56", "h-44"]} />;
}
