import { ArrowUpRight, Check, Download } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import { saveFile } from "#web/lib/browser/save-file.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { CopyField } from "./copy-field.tsx";
import { ALERT_SENDER, GMAIL_QUERY, gmailFilterFor } from "./gmail-filter.ts";
import type { MailAddress } from "./mail-calls.ts";
import { trustedLinkOf } from "./mail-state.ts";

const FORWARDING_PAGE = "https://mail.google.com/mail/u/0/#settings/fwdandpop";
const FILTERS_PAGE = "https://mail.google.com/mail/u/0/#settings/filters";

interface ForwardStepProps {
  address: string;
  question: MailAddress["question"];
  /** Mails arrive, so the provider's question was answered. */
  isAnswered: boolean;
}

/** How the portal's mails get here: forwarded from the person's mailbox. */
export function ForwardStep({ address, question, isAnswered }: ForwardStepProps) {
  const t = useTexts("alert-mails");
  const [mailbox, setMailbox] = useState("gmail");
  const askedAt = question?.askedAt.getTime();
  useEffect(() => {
    if (askedAt !== undefined) setMailbox("gmail");
  }, [askedAt]);
  return (
    <>
      <p className="text-md">{t("forward.alert")}</p>
      <Tabs.Root value={mailbox} onValueChange={setMailbox} className="grid gap-4">
        <Tabs.List
          aria-label={t("forward.mailbox")}
          className="grid grid-cols-2 gap-1 rounded-xl border border-line bg-background p-1"
        >
          <Tab value="gmail">Gmail</Tab>
          <Tab value="other">{t("forward.other")}</Tab>
        </Tabs.List>
        <Tabs.Content value="gmail" className={CONTENT}>
          <Gmail address={address} question={question} isAnswered={isAnswered} />
        </Tabs.Content>
        <Tabs.Content value="other" className={CONTENT}>
          <p className="text-md">{t("forward.rule")}</p>
          <CopyField label={t("forward.sender")} value={ALERT_SENDER} />
        </Tabs.Content>
      </Tabs.Root>
      <p className="text-sm text-muted">{t("forward.portals")}</p>
    </>
  );
}

const CONTENT = "grid gap-4 rounded-xl";

function Tab({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Tabs.Trigger
      value={value}
      className="min-h-11 cursor-pointer rounded-lg px-2 py-1 text-md leading-tight font-semibold text-muted hover:text-ink data-[state=active]:bg-ink data-[state=active]:text-background"
    >
      {children}
    </Tabs.Trigger>
  );
}

function Gmail({ address, question, isAnswered }: ForwardStepProps) {
  const t = useTexts("alert-mails");
  const download = () => {
    const file = new Blob([gmailFilterFor(address)], { type: "application/xml" });
    saveFile("sereno-gmail-filter.xml", file);
  };
  return (
    <ol className="grid gap-5 text-md">
      <Part letter="a">
        <p>{t("forward.add")}</p>
        <OutsideLink size="line" href={FORWARDING_PAGE}>
          {t("forward.openForwarding")}
        </OutsideLink>
      </Part>
      <Part letter="b">
        <p>{t("forward.confirm")}</p>
        <Question question={question} isAnswered={isAnswered} />
      </Part>
      <Part letter="c">
        <p>{t("forward.filter")}</p>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
          <Button variant="outline" className="max-w-full" onClick={download}>
            <Download aria-hidden className="size-4.5" />
            {t("forward.download")}
          </Button>
          <OutsideLink size="line" href={FILTERS_PAGE}>
            {t("forward.openFilters")}
          </OutsideLink>
        </div>
        <details>
          <summary className="mb-1 min-h-11 cursor-pointer py-2.5 text-muted">{t("forward.query")}</summary>
          <CopyField label={t("forward.search")} value={GMAIL_QUERY} />
        </details>
      </Part>
    </ol>
  );
}

function Part({ letter, children }: { letter: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className="grid size-7 shrink-0 place-items-center rounded-full border border-strong-line text-sm font-bold"
      >
        {letter}
      </span>
      <div className="grid min-w-0 flex-1 gap-2 pt-0.5">{children}</div>
    </li>
  );
}

/** Shows the provider's question when it arrives; its space is reserved. */
function Question({ question, isAnswered }: Pick<ForwardStepProps, "question" | "isAnswered">) {
  const t = useTexts("alert-mails");
  const link = trustedLinkOf(question?.link ?? null);
  return (
    <div role="status" className="grid min-h-14 content-center">
      {question ? (
        <div className="grid gap-3 rounded-2xl border-2 border-lantern bg-surface p-4 motion-safe:animate-appear">
          <p className="text-lg leading-snug font-bold">{t("question.asked")}</p>
          {question.code !== null && <CopyField isLarge label={t("question.code")} value={question.code} />}
          {link !== undefined && (
            <>
              <p className="hyphens-auto text-muted">{t("question.text")}</p>
              <Button className="min-h-12" asChild>
                <a href={link} target="_blank" rel="noopener noreferrer">
                  {t("question.link")}
                  <ArrowUpRight aria-hidden className="size-4.5" />
                </a>
              </Button>
            </>
          )}
        </div>
      ) : (
        <p className="flex items-center gap-2.5 rounded-xl border border-dashed border-strong-line/70 px-4 py-3 text-muted">
          {isAnswered && <Check aria-hidden className="size-5 shrink-0 text-good" />}
          {isAnswered ? t("question.answered") : t("question.waiting")}
        </p>
      )}
    </div>
  );
}
