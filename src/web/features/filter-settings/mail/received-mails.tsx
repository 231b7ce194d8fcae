import { timeWithin } from "#text/labels.ts";
import { Dot, type DotTone } from "#web/components/ui/dot.tsx";
import type { ReceivedMailOutcome } from "#web/lib/backend/typed-database.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { ReceivedMail } from "./mail-calls.ts";

const CLOCK_MS = 30_000;

const PORTAL_NAMES: Readonly<Record<string, string>> = {
  "idealista.com": "Idealista",
  "idealista.it": "Idealista.it",
  "idealista.pt": "Idealista.pt",
  fotocasa: "Fotocasa",
  habitaclia: "Habitaclia",
  yaencontre: "Yaencontre",
};

/** What became of the latest mails, and how to fix those that could not be used. */
export function ReceivedMails({ mails }: { mails: readonly ReceivedMail[] }) {
  const t = useTexts("alert-mails");
  if (mails.length === 0) return <p className="text-md text-muted">{t("mails.none")}</p>;
  return (
    <ul aria-label={t("mails.title")} className="-my-3 divide-y divide-line">
      {mails.map((mail) => (
        <MailRow key={mail.id} mail={mail} />
      ))}
    </ul>
  );
}

function MailRow({ mail }: { mail: ReceivedMail }) {
  const t = useTexts("alert-mails");
  const words = useWords("common");
  const now = useNow(CLOCK_MS);
  const { outcome } = mail;
  const portal = PORTAL_NAMES[mail.portal ?? ""] ?? "Idealista";
  const hasListings = outcome === "alert" || outcome === "digest";
  const facts = [
    hasListings && t("mails.listings", { count: mail.listingCount }),
    hasListings && (mail.newCount > 0 ? t("mails.new", { count: mail.newCount }) : t("mails.nothingNew")),
    timeWithin(mail.receivedAt, now, words),
  ];
  const advice = adviceOf(outcome);
  return (
    <li className="grid gap-0.5 py-3">
      <p className="flex items-center gap-2.5 leading-snug font-semibold">
        <Dot tone={DOTS[outcome]} />
        {t(`outcomes.${outcome}`, { portal })}
      </p>
      <p className="figures text-sm text-muted">{facts.filter(Boolean).join(" · ")}</p>
      {advice && <p className="mt-1 text-md text-muted">{t(`advice.${advice}`)}</p>}
    </li>
  );
}

function adviceOf(outcome: ReceivedMailOutcome) {
  return outcome === "alert" || outcome === "forwarding-question" ? null : outcome;
}

const DOTS: Readonly<Record<ReceivedMailOutcome, DotTone>> = {
  alert: "good",
  digest: "good",
  "forwarding-question": "good",
  "not-an-alert": "hollow",
  "waiting-for-key": "hollow",
  unreadable: "bad",
  "not-signed": "bad",
};
