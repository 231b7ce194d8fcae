import { useQuery } from "@tanstack/react-query";
import { Lightbulb } from "lucide-react";
import type { LooseningHint, PreviewListing, SearchPreview } from "#core/search/search-preview.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { homeLine } from "#text/home-words.ts";
import { formatArea, formatDays, formatPrice } from "#text/labels.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { previewQuery } from "./fetch-preview.ts";

type Known = Extract<SearchPreview, { isKnown: true }>;

export function PreviewPart({ url }: { url: string }) {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const preview = useQuery({
    ...previewQuery(userId, url),
    select: (answer) => (answer && "isKnown" in answer ? answer : null),
  });
  // Better no preview than a wrong one.
  if (isMissing(preview) || preview.data === null) return null;
  return (
    // About as high as the answer, so that the buttons below do not jump.
    <section
      aria-label={t("preview.title")}
      className="grid min-h-16 content-start gap-2.5 border-t border-line pt-4"
    >
      {preview.data === undefined && (
        // Screen readers announce only the result.
        <p aria-hidden className="text-md text-muted">
          {t("preview.loading")}
        </p>
      )}
      {preview.data?.isKnown === false && <p className="text-md text-muted">{t("preview.unknown")}</p>}
      {preview.data?.isKnown && <Answer preview={preview.data} url={url} />}
    </section>
  );
}

function Answer({ preview, url }: { preview: Known; url: string }) {
  const t = useTexts("filter");
  const { count, isAtLeast, newest, hint } = preview;
  const none = isAtLeast ? t("preview.noneSoFar") : t("preview.none");
  const fits = isAtLeast ? t("preview.fitsAtLeast", { count }) : t("preview.fits", { count });
  return (
    <>
      <p className="figures leading-snug">
        <span className="font-semibold">{count === 0 ? none : fits}</span>
        {count > 0 && <PerWeek perWeek={preview.perWeek} />}
      </p>
      {hint && <Hint hint={hint} url={url} />}
      {newest.length > 0 && (
        <>
          <p className="text-sm font-semibold text-muted">{t("preview.newest", { count: newest.length })}</p>
          <ul aria-live="off" className="grid gap-2">
            {newest.map((listing) => (
              <NewestListing key={listing.id} listing={listing} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function PerWeek({ perWeek }: { perWeek: number | null }) {
  const t = useTexts("filter");
  if (perWeek === null) {
    return (
      <>
        . <span className="text-muted">{t("preview.perWeekUnknown")}</span>
      </>
    );
  }
  return `, ${perWeek === 0 ? t("preview.perWeekNone") : t("preview.perWeek", { count: perWeek })}.`;
}

/** Which condition to relax if nothing matches. */
function Hint({ hint, url }: { hint: LooseningHint; url: string }) {
  const t = useTexts("filter");
  const words = useWords("search");
  const parsed = parseSearchUrl(url);
  if (!parsed.ok) return null;
  const { search } = parsed;
  const alone = hint.value === undefined ? search : { ...search, [hint.part]: [hint.value] };
  const wish = describeSearch(alone, words).chips.find(({ part }) => part === hint.part)?.text;
  if (!wish) return null;
  return (
    <p className="flex gap-2.5 text-md leading-snug">
      <Lightbulb aria-hidden className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <span>
        {t("preview.hint", { wish, count: hint.count, days: formatDays(hint.days, words.language) })}
      </span>
    </p>
  );
}

function NewestListing({ listing: { card } }: { listing: PreviewListing }) {
  const t = useTexts("filter");
  const words = useWords("home");
  const { language } = words;
  const { priceEur, areaM2, rooms } = card;
  const facts = [
    formatPrice(priceEur, language),
    areaM2 === null ? null : formatArea(areaM2, language),
    rooms ? t("preview.bedrooms", { count: rooms }) : null,
    card.neighborhood ?? card.district ?? card.municipality,
  ];
  return (
    <li className="grid text-md leading-snug">
      <span className="font-medium wrap-anywhere">{homeLine(card, words)}</span>
      <span className="figures text-sm text-muted wrap-anywhere">
        {facts.filter((fact) => fact !== null).join("\u00a0· ")}
      </span>
    </li>
  );
}
