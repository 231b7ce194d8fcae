import { Check, CircleAlert, Info } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { localizedPath } from "#core/languages.ts";
import type { Repair } from "#core/search/url/parse-search-url.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { RawLink } from "./portal-link.tsx";
import { PreviewPart } from "./preview-part.tsx";
import type { ReadLink, Understanding, UrlRefusal } from "./understand-url.ts";

/** Loaded only for a link with an area that can be drawn. */
const AreaPicture = lazyPart(async () => (await import("#web/components/map/area-picture.tsx")).AreaPicture, {
  namespaces: ["map"],
});

/** Loaded only for the link of a listing. */
const ListingLinkPart = lazyPart(async () => (await import("./listing-link.tsx")).ListingLinkPart);

/** What Sereno understands of a link, on a sign like Madrid's street signs. */
export function SearchSummary({
  understanding,
  isSaved = false,
  onUrlChange,
}: {
  understanding: Understanding;
  /** Of a link that is already saved only the limits are shown: the card above says the rest. */
  isSaved?: boolean;
  /** Replaces an unknown place in the link by the nearest known one. */
  onUrlChange?: ((url: string) => void) | undefined;
}) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {understanding.state === "empty" && <BlankSign />}
      {understanding.state === "refused" && (
        <RefusedSign reason={understanding.reason}>
          {understanding.listingId !== undefined && onUrlChange && (
            <Suspense fallback={null}>
              <ListingLinkPart listingId={understanding.listingId} onUrlChange={onUrlChange} />
            </Suspense>
          )}
        </RefusedSign>
      )}
      {understanding.state === "understood" &&
        (isSaved ? (
          <SavedSearchNotes search={understanding} onUrlChange={onUrlChange} />
        ) : (
          <SearchSign search={understanding} onUrlChange={onUrlChange} />
        ))}
    </div>
  );
}

function Sign({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cn("rounded-2xl border-2 bg-surface p-1.5", className)}>
      <div className="grid gap-4 rounded-sign border border-current/25 px-4 py-5 sm:px-6 sm:py-6">
        {children}
      </div>
    </div>
  );
}

function BlankSign() {
  const t = useTexts("filter");
  return (
    <Sign className="border-dashed border-strong-line/60 text-muted">
      <p className="mx-auto max-w-sm py-3 text-center text-md">{t("understood.waiting")}</p>
    </Sign>
  );
}

/** The children lead on from the refused link; without them, a text says what to do. */
function RefusedSign({ reason, children }: { reason: UrlRefusal; children: ReactNode }) {
  const t = useTexts("filter");
  return (
    <Sign className={children ? "border-ink" : "border-tile"}>
      <div className="flex gap-3">
        {!children && <CircleAlert aria-hidden className="mt-0.5 size-6 shrink-0 text-tile" />}
        <div className="grid gap-1">
          <p className="text-lg leading-snug font-bold">{t(`refusals.${reason}.title`)}</p>
          {!children && <p>{t(`refusals.${reason}.text`)}</p>}
        </div>
      </div>
      {children}
    </Sign>
  );
}

interface SearchSignProps {
  search: ReadLink;
  onUrlChange: ((url: string) => void) | undefined;
}

function SearchSign({ search, onUrlChange }: SearchSignProps) {
  const t = useTexts("filter");
  return (
    <Sign className={search.isBlocked ? "border-tile" : "border-ink"}>
      <div className="grid gap-2">
        <p className="text-sm font-semibold text-muted">
          {search.isBlocked ? t("understood.blocking") : t("understood.title")}
        </p>
        <p className="text-xl leading-snug font-bold tracking-snug wrap-anywhere sm:text-2xl">
          {search.text}
        </p>
      </div>
      {search.isDrawable && (
        <Suspense fallback={<div className="h-24 rounded-xl bg-ink/5" />}>
          <AreaPicture url={search.url} />
        </Suspense>
      )}
      <Limits search={search} />
      {search.nearest && onUrlChange && <NearestPlace nearest={search.nearest} onUrlChange={onUrlChange} />}
      <Repairs repairs={search.repairs} />
      <OtherSearches others={search.others} />
      {!search.isBlocked && <PreviewPart url={search.url} />}
      <RawLink url={search.url} />
    </Sign>
  );
}

function SavedSearchNotes({ search, onUrlChange }: SearchSignProps) {
  if (search.limits.length === 0) return null;
  return (
    <div className="grid gap-3">
      <Limits search={search} />
      {search.nearest && onUrlChange && <NearestPlace nearest={search.nearest} onUrlChange={onUrlChange} />}
    </div>
  );
}

function NearestPlace({
  nearest,
  onUrlChange,
}: {
  nearest: NonNullable<ReadLink["nearest"]>;
  onUrlChange(url: string): void;
}) {
  const t = useTexts("filter");
  return (
    <Button
      variant="outline"
      className="min-h-11 justify-self-start text-left"
      onClick={() => onUrlChange(nearest.url)}
    >
      {t("understood.nearest", { place: nearest.name })}
    </Button>
  );
}

function Limits({ search }: { search: ReadLink }) {
  const t = useTexts("filter");
  // "Some alerts may not match" would contradict "cannot be watched".
  const limits = search.isBlocked ? search.limits.filter(({ isBlocking }) => isBlocking) : search.limits;
  if (limits.length === 0) return null;
  return (
    <Notes title={t("understood.limits")} isHidden={search.isBlocked}>
      {limits.map(({ text, isBlocking }) => (
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

/** A new search each, beside the one that is being written. */
function OtherSearches({ others }: Pick<ReadLink, "others">) {
  const t = useTexts("filter");
  const language = useLanguage();
  if (others.length === 0) return null;
  return (
    <Notes title={t("understood.others")}>
      {others.map(({ name, url }) => (
        <li key={url}>
          <a
            href={localizedPath(`/filter-settings?link=${encodeURIComponent(url)}`, language)}
            target="_blank"
            rel="noopener"
            className="inline-block py-0.5 underline decoration-ink/35 underline-offset-4 wrap-anywhere hover:decoration-ink"
          >
            {name}
          </a>
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
    <div className="grid gap-1.5 text-md leading-snug">
      <p className={isHidden ? "sr-only" : "font-semibold"}>{title}</p>
      <ul className="grid gap-1.5">{children}</ul>
    </div>
  );
}
