import { Fragment } from "react";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { formatArea, formatPrice, timeLabel, titleOf } from "#text/labels.ts";
import { plainTexts } from "#text/plain-texts.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import type { ShownListing } from "./demo-listing.ts";
import { type DemoTexts, useDemo } from "./demo-props.ts";
import { ListingPicture } from "./listing-picture.tsx";

interface ListingBubbleProps {
  listing: ShownListing;
  now: Date;
  isNew: boolean;
}

export function ListingBubble({ listing, now, isNew }: ListingBubbleProps) {
  const { texts, language } = useDemo();
  const t = plainTexts(texts, language);
  const title = shownTitle(listing, texts);
  const { price, size, rooms } = listing;
  const facts = [
    price === undefined ? texts.price : typeof price === "number" ? formatPrice(price, language) : price,
    size === undefined ? texts.size : typeof size === "number" ? formatArea(size, language) : size,
    ...(rooms ? [t("bedrooms", { count: rooms })] : []),
  ];
  return (
    <li className={cn("grid w-full grid-cols-1 gap-1.5 pb-3", isNew && "motion-safe:animate-appear")}>
      <article className="flex gap-3 rounded-2xl rounded-bl-md bg-bubble p-3">
        <ListingPicture emoji={listing.emoji} />
        <div className="min-w-0 flex-1 text-md leading-snug">
          <h2 className="font-semibold tracking-normal">{title}</h2>
          <Facts facts={facts} />
          <p className="flex items-end justify-between gap-3 text-sm text-muted">
            <span className="min-w-0 wrap-anywhere">{listing.location ?? texts.location}</span>
            <time dateTime={listing.foundAt.toISOString()} className="shrink-0">
              {timeLabel(listing.foundAt, now, { language, t })}
            </time>
          </p>
        </div>
      </article>
      {listing.url && (
        <a
          href={advertUrlIn(listing.url, language)}
          target="_blank"
          rel="noopener nofollow"
          aria-label={`${openLabel(listing.url, texts)} · ${title}`}
          className="flex h-11 items-center justify-center gap-2 rounded-xl bg-bubble/75 text-md font-semibold hover:bg-bubble"
        >
          {openLabel(listing.url, texts)}
          <OpenIcon />
        </a>
      )}
    </li>
  );
}

/** As in an alert; a row with only the fields of the specification shows its title as stored. */
export function shownTitle({ title, type, address }: ShownListing, texts: DemoTexts): string {
  const types: Readonly<Record<string, string>> = texts.types;
  const name = type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined;
  return name === undefined ? (title ?? texts.title) : titleOf(name, address ?? null);
}

/** Breaks lines between facts, never within one. */
function Facts({ facts }: { facts: readonly string[] }) {
  return (
    <p className="figures font-semibold">
      {facts.map((fact, index) => (
        <Fragment key={fact}>
          <span className="inline-block max-w-full">
            {index < facts.length - 1 ? `${fact} ·` : fact}
          </span>{" "}
        </Fragment>
      ))}
    </p>
  );
}

function openLabel(url: string, texts: DemoTexts): string {
  const isOnPortal = /(^|\.)idealista\.com$/.test(new URL(url).hostname);
  return isOnPortal ? texts.open : texts.openElsewhere;
}

function OpenIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-4 fill-none stroke-current stroke-2">
      <path
        d="M15 3h6v6M10 14 21 3m-3 10v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
