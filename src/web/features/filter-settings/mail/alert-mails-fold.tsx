/**
 * Alert mails of the portal as a source, from the invitation to the first mail. Not offered on the first day, nor if the
 * installation receives no mail; if it reads a mailbox instead, only the received mails are shown.
 */
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dot, type DotTone } from "#web/components/ui/dot.tsx";
import { Notice } from "#web/components/ui/notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useConfig } from "#web/lib/backend/config.ts";
import { useIsLive } from "#web/lib/backend/use-is-live.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { connectedOf } from "../chats/chat-calls.ts";
import { Fold } from "../edit/folds.tsx";
import { useSearchForm } from "../form/search-form.ts";
import { useNewAddress } from "./address-step.tsx";
import { type AlertMails, alertMailsQuery, type MailAddress } from "./mail-calls.ts";
import { ArrivalDrawing } from "./mail-drawings.tsx";
import {
  hasArrived,
  isOfferDue,
  type MailState,
  mailStateOf,
  type NoAlertReason,
  noAlertReasonOf,
  openQuestionOf,
} from "./mail-state.ts";
import { MailSteps } from "./mail-steps.tsx";
import { MailToMyself } from "./mail-to-myself.tsx";
import { ReceivedMails } from "./received-mails.tsx";

const CLOCK_MS = 60_000;

export function AlertMailsFold() {
  const { userId, search, others, chats } = useSearchForm();
  const t = useTexts("alert-mails");
  const domain = useConfig()?.mailDomain;
  const mails = useAlertMails(userId, domain);
  const isDue = isOfferDue(search ? [search, ...others] : others, useNow(CLOCK_MS));
  const noAlertReason = noAlertReasonOf({
    filterIds: search?.ids ?? [],
    connectedIds: connectedOf(chats)?.map(({ id }) => id),
    isPaused: search?.isPaused ?? false,
  });
  const { data } = mails;
  if (domain === undefined) return null;
  if (domain === null) return data ? <MailboxFold mails={data} noAlertReason={noAlertReason} /> : null;
  const begun = data && isBegun(data) ? data : undefined;
  if (!begun && !isDue) return null;
  return (
    <Fold name={NAME} title={t("title")} summary={begun && <StateLabel state={mailStateOf(begun)} />}>
      <div className="grid gap-4 wrap-anywhere">
        {!begun && <Invitation />}
        <Content userId={userId} domain={domain} mails={mails} noAlertReason={noAlertReason} />
        {!(begun && hasArrived(begun)) && <MailToMyself />}
      </div>
    </Fold>
  );
}

/** The installation reads a mailbox: there is nothing to set up. */
function MailboxFold({ mails, noAlertReason }: { mails: AlertMails; noAlertReason: NoAlertReason | null }) {
  const t = useTexts("alert-mails");
  if (mails.mails.length === 0) return null;
  return (
    <Fold name={NAME} title={t("mails.title")}>
      <div className="grid gap-4 wrap-anywhere">
        {noAlertReason && <NoAlertNotice reason={noAlertReason} />}
        <ReceivedMails mails={mails.mails} />
      </div>
    </Fold>
  );
}

const NAME = "alert-mails";

function useAlertMails(userId: string, domain: string | null | undefined) {
  const isLive = useIsLive();
  return useQuery({
    ...alertMailsQuery(userId, domain !== null && !isLive),
    enabled: domain !== undefined,
  });
}

type Begun = AlertMails & { address: MailAddress };

function isBegun(mails: AlertMails): mails is Begun {
  return mails.address !== null;
}

function Invitation() {
  return (
    <div className="flex items-center gap-4 sm:gap-6">
      <div className="shrink-0">
        <ArrivalDrawing isLit />
      </div>
      <p className="text-md text-muted">{useTexts("alert-mails")("lead")}</p>
    </div>
  );
}

const DOTS: Readonly<Record<MailState, DotTone>> = {
  question: "lantern",
  waiting: "hollow",
  working: "good",
  trouble: "bad",
};

function StateLabel({ state }: { state: MailState }) {
  const t = useTexts("alert-mails");
  return (
    <span className="flex items-center gap-2 text-sm font-semibold">
      <Dot tone={DOTS[state]} />
      {t(`states.${state}`)}
    </span>
  );
}

interface ContentProps {
  userId: string;
  domain: string;
  mails: UseQueryResult<AlertMails>;
  noAlertReason: NoAlertReason | null;
}

function Content({ userId, domain, mails, noAlertReason }: ContentProps) {
  const t = useTexts("alert-mails");
  // The clicked button is removed, so the focus moves to what it opened.
  const [hasBegunHere, setBegunHere] = useState(false);
  const { isBusy, run } = useNewAddress(userId, () => undefined);
  const { data } = mails;
  if (data && isBegun(data)) {
    return (
      <BegunContent
        userId={userId}
        domain={domain}
        mails={data}
        noAlertReason={noAlertReason}
        isNew={hasBegunHere}
      />
    );
  }
  if (data) {
    return (
      <BusyButton
        variant="outline"
        className="justify-self-start"
        isBusy={isBusy}
        busyText={t("beginning")}
        onClick={() => {
          setBegunHere(true);
          run();
        }}
      >
        {t("begin")}
      </BusyButton>
    );
  }
  if (!isMissing(mails)) return <Skeleton className="h-11 w-36 rounded-xl" />;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 text-md">
      <p>{t("unavailable")}</p>
      <BusyButton
        variant="link"
        size="line"
        isBusy={mails.fetchStatus !== "idle"}
        busyText={t("beginning")}
        onClick={() => void mails.refetch()}
      >
        {t("retry")}
      </BusyButton>
    </div>
  );
}

interface BegunContentProps extends Omit<ContentProps, "mails"> {
  mails: Begun;
  isNew: boolean;
}

function BegunContent({ userId, domain, mails, noAlertReason, isNew }: BegunContentProps) {
  const t = useTexts("alert-mails");
  const { isOpen, steps, toggle } = useSteps(mails, isNew);
  return (
    <>
      <Button variant="link" size="line" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? t("hide") : t("show")}
      </Button>
      {isOpen && (
        <div ref={steps} tabIndex={-1} className="rounded-xl outline-none">
          <MailSteps userId={userId} domain={domain} mails={mails} />
        </div>
      )}
      {noAlertReason && <NoAlertNotice reason={noAlertReason} />}
      <div className="grid gap-5 border-t border-line pt-5">
        <p className="font-semibold">{t("mails.title")}</p>
        <ReceivedMails mails={mails.mails} />
      </div>
      <p className="border-t border-line pt-4 text-sm text-muted">{t("privacy")}</p>
    </>
  );
}

/** Open until mails arrive. A mail does not close it, and a new question opens it. */
function useSteps(mails: Begun, isNew: boolean) {
  const [isOpen, setOpen] = useState(() => mailStateOf(mails) !== "working");
  const steps = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) steps.current?.focus({ preventScroll: true });
  }, [isNew]);
  const askedAt = openQuestionOf(mails)?.askedAt.getTime();
  useEffect(() => {
    if (askedAt !== undefined) setOpen(true);
  }, [askedAt]);
  return { isOpen, steps, toggle: () => setOpen(!isOpen) };
}

function NoAlertNotice({ reason }: { reason: NoAlertReason }) {
  const t = useTexts("alert-mails");
  return (
    <Notice tone="quiet" icon={Info}>
      <p>{t(`noAlerts.${reason}`)}</p>
    </Notice>
  );
}
