import { useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { browserOf } from "#core/browser/browser-of.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SignedInBrowser } from "#web/lib/backend/typed-database.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { BusyButton } from "../../components/form/busy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import { endSession, signOutOthers } from "./account-calls.ts";
import { useBrowserWords, useDates } from "./use-event-words.ts";

interface SessionsPanelProps {
  /** Undefined if they could not be loaded. */
  sessions: SignedInBrowser[] | undefined;
  hasPassword: boolean;
  onRetry(): void;
}

export function SessionsPanel({ sessions, hasPassword, onRetry }: SessionsPanelProps) {
  const t = useTexts("account");
  const description = t(hasPassword ? "sessions.description" : "sessions.descriptionNoPassword");
  const queries = useQueryClient();
  const userId = useSession().user?.id ?? "";
  const { isBusy, run } = useAction({
    run: async () => {
      await signOutOthers();
      await queries.invalidateQueries({ queryKey: queryKeys.sessions(userId) });
    },
    onSuccess: () => t("sessions.success", { returnObjects: true }),
    failure: t("sessions.failure", { returnObjects: true }),
  });
  return (
    <Panel id="sessions" title={t("sessions.title")} description={description}>
      {sessions ? (
        <ul className="grid">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <FailureNotice message={t("sessions.loadFailure")} retry={{ text: t("errors.retry"), onRetry }} />
      )}
      <BusyButton
        variant="outline"
        className="w-full sm:w-auto sm:justify-self-start"
        isBusy={isBusy}
        busyText={t("sessions.signingOut")}
        onClick={() => run()}
      >
        {t("sessions.signOutOthers")}
      </BusyButton>
    </Panel>
  );
}

function SessionRow({ session }: { session: SignedInBrowser }) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const userId = useSession().user?.id ?? "";
  const dateIn = useDates();
  const device = useBrowserWords()(browserOf(session.user_agent));
  const { isBusy, run } = useAction({
    run: async () => {
      await endSession(session.id);
      await queries.invalidateQueries({ queryKey: queryKeys.sessions(userId) });
    },
    onSuccess: () => ({
      title: t("sessions.ended.title"),
      description: t("sessions.ended.description", { device }),
    }),
    failure: t("sessions.endFailure", { returnObjects: true }),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        <MonitorSmartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
            {device}
            {session.is_current && (
              <span className="rounded-full border border-strong-line px-2 py-0.5 text-xs font-semibold text-muted">
                {t("sessions.current")}
              </span>
            )}
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted">
            <span>{t("sessions.since", { date: dateIn(session.created_at) })}</span>
            <span>{t("sessions.lastUsed", { date: dateIn(session.last_used_at) })}</span>
          </p>
        </div>
      </div>
      {!session.is_current && (
        <BusyButton
          variant="outline"
          className="max-sm:ml-8"
          isBusy={isBusy}
          busyText={t("sessions.ending")}
          aria-label={t("sessions.endLabel", { device })}
          onClick={() => run()}
        >
          {t("sessions.end")}
        </BusyButton>
      )}
    </li>
  );
}
