import { ArrowUpRight, Check, CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import type { Repair } from "#core/search/url/parse-search-url.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { ReadLink, Refusal, Understanding } from "./understand-url.ts";
import { withNonBreakingDots } from "./understand-url.ts";

/** What Sereno makes of the URL, on a sign like those at the corners of Madrid's streets. */
export function SearchSummary({
  understanding,
  savedUrl,
}: {
  understanding: Understanding;
  /** What is saved already; its words stand at the head of the page. */
  savedUrl?: string | undefined;
}) {
  return (
    <div aria-live="polite">
      {understanding.state === "empty" && <BlankSign />}
      {understanding.state === "refused" && <RefusedSign reason={understanding.reason} />}
      {understanding.state === "understood" && (
        <SearchSign search={understanding} isSaved={understanding.url === savedUrl} />
      )}
    </div>
  );
}

function Sign({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cn("rounded-2xl border-2 bg-surface p-1.5", className)}>
      <div className="grid gap-4 rounded-[0.6875rem] border border-current/25 px-4 py-5 sm:px-6 sm:py-6">
        {children}
      </div>
    </div>
  );
}

function BlankSign() {
  const t = useTexts("filter");
  return (
    <Sign className="border-dashed border-strong-line/60 text-muted">
      <p className="mx-auto max-w-sm py-3 text-center text-[0.9375rem]">{t("understood.waiting")}</p>
    </Sign>
  );
}

function RefusedSign({ reason }: { reason: Refusal }) {
  const t = useTexts("filter");
  return (
    <Sign className="border-tile">
      <div className="flex gap-3">
        <CircleAlert aria-hidden className="mt-0.5 size-6 shrink-0 text-tile" />
        <div className="grid gap-1">
          <p className="text-lg leading-snug font-bold">{t(`refusals.${reason}.title`)}</p>
          <p>{t(`refusals.${reason}.text`)}</p>
        </div>
      </div>
    </Sign>
  );
}

function SearchSign({ search, isSaved }: { search: ReadLink; isSaved: boolean }) {
  const t = useTexts("filter");
  return (
    <Sign className={search.isBlocked ? "border-tile" : "border-ink"}>
      <div className="grid gap-2">
        <p className="text-sm font-semibold text-muted">
          {search.isBlocked ? t("understood.blocking") : t("understood.title")}
        </p>
        {!isSaved && (
          <p className="text-xl leading-snug font-bold tracking-[-0.01em] wrap-anywhere sm:text-2xl">
            {withNonBreakingDots(search.text)}
          </p>
        )}
      </div>
      <Limits search={search} />
      <SearchChips search={search} />
      <Repairs repairs={search.repairs} />
      <OpenOnPortal url={search.url} />
    </Sign>
  );
}

export function SearchChips({ search }: { search: ReadLink }) {
  const t = useTexts("filter");
  return (
    <ul aria-label={t("understood.chips")} className="flex flex-wrap gap-2">
      {search.chips.map(({ part, text }) => {
        // Of several features each has a chip; the limit quotes the one it is about.
        const isDoubtful = search.limits.some(
          (limit) => limit.part === part && (limit.value === undefined || limit.text.includes(text)),
        );
        return (
          <li
            key={`${part} ${text}`}
            className={cn(
              "rounded-full border px-3.5 py-1 text-[0.9375rem] font-medium wrap-anywhere",
              isDoubtful ? "border-dashed border-strong-line text-muted" : "border-strong-line",
            )}
          >
            {text}
          </li>
        );
      })}
    </ul>
  );
}

export function OpenOnPortal({ url }: { url: string }) {
  const t = useTexts("filter");
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold underline decoration-ink/35 underline-offset-4 hover:decoration-ink"
    >
      {t("understood.open")}
      <ArrowUpRight aria-hidden className="size-4" />
    </a>
  );
}

function Limits({ search }: { search: ReadLink }) {
  const t = useTexts("filter");
  if (search.limits.length === 0) return null;
  return (
    <Notes title={t("understood.limits")} isHidden={search.isBlocked}>
      {search.limits.map(({ text, isBlocking }) => (
        <li key={text} className="flex gap-2.5">
          {isBlocking ? (
            <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0 text-tile" />
          ) : (
            <Info aria-hidden className="mt-0.5 size-4.5 shrink-0 text-muted" />
          )}
          <span className={isBlocking ? "font-medium" : "text-muted"}>{text}</span>
        </li>
      ))}
    </Notes>
  );
}

function Repairs({ repairs }: { repairs: readonly Repair[] }) {
  const t = useTexts("filter");
  if (repairs.length === 0) return null;
  return (
    <Notes title={t("understood.repairs")}>
      {repairs.map(({ code, detail = "" }) => (
        <li key={`${code} ${detail}`} className="flex gap-2.5">
          <Check aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
          <span className="text-muted wrap-anywhere">{t(`repairs.${code}`, { detail })}</span>
        </li>
      ))}
    </Notes>
  );
}

function Notes({
  title,
  isHidden = false,
  children,
}: {
  title: string;
  isHidden?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-1.5 text-[0.9375rem] leading-snug">
      <p className={isHidden ? "sr-only" : "font-semibold"}>{title}</p>
      <ul className="grid gap-1.5">{children}</ul>
    </div>
  );
}
