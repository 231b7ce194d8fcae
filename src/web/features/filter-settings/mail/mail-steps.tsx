import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Dot } from "#web/components/ui/dot.tsx";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { AddressStep } from "./address-step.tsx";
import { ForwardStep } from "./forward-step.tsx";
import type { AlertMails, MailAddress } from "./mail-calls.ts";
import { AddressDrawing, ArrivalDrawing, ForwardDrawing } from "./mail-drawings.tsx";
import { hasArrived, openQuestionOf } from "./mail-state.ts";

interface MailStepsProps {
  userId: string;
  domain: string;
  mails: AlertMails & { address: MailAddress };
}

export function MailSteps({ userId, domain, mails }: MailStepsProps) {
  const t = useTexts("alert-mails");
  const address = `${mails.address.token}@${domain}`;
  const isArrived = hasArrived(mails);
  return (
    <ol className="grid gap-8">
      <Step number={1} title={t("address.title")} drawing={<AddressDrawing />}>
        <AddressStep userId={userId} address={address} />
      </Step>
      <Step number={2} title={t("forward.title")} drawing={<ForwardDrawing />}>
        <ForwardStep address={address} question={openQuestionOf(mails)} isAnswered={isArrived} />
      </Step>
      <Step number={3} title={t("first.title")} drawing={<ArrivalDrawing isLit={isArrived} />}>
        <Arrival at={isArrived ? mails.lastAlertAt : null} />
      </Step>
    </ol>
  );
}

interface StepProps {
  number: number;
  title: string;
  drawing: ReactNode;
  children: ReactNode;
}

function Step({ number, title, drawing, children }: StepProps) {
  return (
    <li className="group grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-3 sm:gap-x-6">
      <div className="flex w-18 justify-center sm:w-20">{drawing}</div>
      <p className="text-lg leading-snug font-bold tracking-snug">
        <span aria-hidden className="figures text-muted">
          {number}.{" "}
        </span>
        {title}
      </p>
      <span
        aria-hidden
        className="hidden h-full justify-self-center border-l-2 border-dashed border-strong-line/60 group-last:invisible sm:block"
      />
      <div className="col-span-2 grid gap-3 sm:col-span-1">{children}</div>
    </li>
  );
}

/** Waits for the first mail and announces it. */
function Arrival({ at }: { at: Date | null }) {
  const t = useTexts("alert-mails");
  const time = useClockTime(at);
  return (
    <div role="status" className="grid min-h-14 content-center">
      {at === null ? (
        <p className="flex items-center gap-2.5 text-md text-muted">
          <Dot tone="lantern" isBreathing />
          {t("first.waiting")}
        </p>
      ) : (
        <div className="motion-safe:animate-appear">
          <p className="flex items-center gap-2 font-semibold text-good">
            <Check aria-hidden className="size-5 shrink-0" />
            {t("first.arrived")}
          </p>
          <p className="figures text-sm text-muted">{t("first.latest", { time })}</p>
        </div>
      )}
    </div>
  );
}
