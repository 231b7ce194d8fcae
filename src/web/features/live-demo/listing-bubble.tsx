import { ExternalLink } from "lucide-react";
import { formatArea, formatPrice, timeLabel } from "#text/labels.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import type { DemoListing } from "./demo-listing.ts";
import { ListingPicture } from "./listing-picture.tsx";

interface ListingBubbleProps {
  listing: DemoListing;
  now: Date;
  isNew: boolean;
}

/** One listing as a message: picture, what it is, when it came, and a button under it. */
export function ListingBubble({ listing, now, isNew }: ListingBubbleProps) {
  const t = useTexts("landing");
  const language = useLanguage();
  const title = listing.title ?? t("demo.title");
  const { price, size, rooms } = listing;
  const facts = [
    price === undefined ? t("demo.price") : typeof price === "number" ? formatPrice(price, language) : price,
    size === undefined ? t("demo.size") : typeof size === "number" ? formatArea(size, language) : size,
    ...(rooms ? [t("demo.bedrooms", { count: rooms })] : []),
  ];
  return (
    <li className={cn("grid grid-cols-1 gap-1.5", isNew && "motion-safe:animate-appear")}>
      <article className="flex gap-3 rounded-2xl rounded-bl-md bg-bubble p-3">
        <ListingPicture emoji={listing.emoji} />
        <div className="min-w-0 flex-1 text-[0.9375rem] leading-snug">
          <h2 className="truncate font-semibold tracking-normal">{title}</h2>
          <p className="figures truncate font-semibold">{facts.join(" · ")}</p>
          <p className="flex justify-between gap-3 text-sm text-muted">
            <span className="truncate">{listing.location ?? t("demo.location")}</span>
            <time dateTime={listing.foundAt.toISOString()} className="shrink-0">
              {timeLabel(listing.foundAt, now, language)}
            </time>
          </p>
        </div>
      </article>
      {listing.url && (
        <a
          href={listing.url}
          target="_blank"
          rel="noopener nofollow"
          aria-label={`${openLabel(listing.url, t)}: ${title}`}
          className="flex h-11 items-center justify-center gap-2 rounded-xl bg-bubble/75 text-[0.9375rem] font-semibold hover:bg-bubble"
        >
          {openLabel(listing.url, t)}
          <ExternalLink aria-hidden className="size-4" />
        </a>
      )}
    </li>
  );
}

function openLabel(url: string, t: ReturnType<typeof useTexts<"landing">>): string {
  const isOnPortal = /(^|\.)idealista\.com$/.test(new URL(url).hostname);
  return isOnPortal ? t("demo.open") : t("demo.openElsewhere");
}
