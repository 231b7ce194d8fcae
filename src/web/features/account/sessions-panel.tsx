import { useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { SubmitButton } from "../../components/submit-button.tsx";
import { endSession, type OpenSession, signOutOthers } from "./account-calls.ts";
import { deviceOf } from "./device-of.ts";
import { LoadFailure, Panel } from "./panel.tsx";
import { useAccountMutation } from "./use-account-mutation.ts";

interface SessionsPanelProps {
  /** Undefined when they could not be loaded. */
  sessions: OpenSession[] | undefined;
  onRetry(): void;
}

export function SessionsPanel({ sessions, onRetry }: SessionsPanelProps) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const { isBusy, run } = useAccountMutation(t("sessions.failure", { returnObjects: true }));
  const endOthers = async () => {
    await signOutOthers();
    await queries.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <Panel id="sessions" title={t("sessions.title")} description={t("sessions.description")}>
      {sessions ? (
        <ul className="grid">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : (
        <LoadFailure message={t("sessions.loadFailure")} onRetry={onRetry} />
      )}
      <SubmitButton
        type="button"
        variant="outline"
        className="w-full sm:w-auto sm:justify-self-start"
        isBusy={isBusy}
        busyText={t("sessions.signingOut")}
        onClick={() => void run(endOthers, t("sessions.success", { returnObjects: true }))}
      >
        {t("sessions.signOutOthers")}
      </SubmitButton>
    </Panel>
  );
}

function SessionRow({ session }: { session: OpenSession }) {
  const t = useTexts("account");
  const queries = useQueryClient();
  const dateIn = useDates();
  const { isBusy, run } = useAccountMutation(t("sessions.endFailure", { returnObjects: true }));
  const known = deviceOf(session.userAgent);
  const device = known ? t("sessions.device", { ...known }) : t("sessions.unknown");
  const end = async () => {
    await endSession(session.id);
    await queries.invalidateQueries({ queryKey: ["sessions"] });
  };
  const ended = {
    title: t("sessions.ended.title"),
    description: t("sessions.ended.description", { device }),
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        <MonitorSmartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
            {device}
            {session.isCurrent && (
              <span className="rounded-full border border-strong-line px-2 py-0.5 text-xs font-semibold text-muted">
                {t("sessions.current")}
              </span>
            )}
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted">
            <span>{t("sessions.since", { date: dateIn(session.createdAt) })}</span>
            <span>{t("sessions.lastUsed", { date: dateIn(session.lastUsedAt) })}</span>
          </p>
        </div>
      </div>
      {!session.isCurrent && (
        <SubmitButton
          type="button"
          variant="outline"
          className="max-sm:ml-8"
          isBusy={isBusy}
          busyText={t("sessions.ending")}
          aria-label={t("sessions.endLabel", { device })}
          onClick={() => void run(end, ended)}
        >
          {t("sessions.end")}
        </SubmitButton>
      )}
    </li>
  );
}

function useDates(): (date: string) => string {
  const format = new Intl.DateTimeFormat(useLanguage(), { dateStyle: "medium", timeStyle: "short" });
  return (date) => format.format(new Date(date));
}
