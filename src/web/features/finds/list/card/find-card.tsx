import { Heart } from "lucide-react";
import { memo, type ReactNode, useId, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import type { FoundHome } from "#core/finds/find.ts";
import { homeLine, placeOf } from "#text/home-words.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { usePressedLink } from "#web/lib/browser/use-pressed-choice.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { LeftOutPart } from "../left-out/left-out-part.tsx";
import { useListParts } from "../list-context.ts";
import { useSwipe } from "../use-swipe.ts";
import { CardActions } from "./card-actions.tsx";
import { CardNote } from "./card-note.tsx";
import { Distances, FactsLine, PerM2Line, Warnings } from "./find-facts.tsx";
import { FindPhoto } from "./find-photo.tsx";
import { FoundTime, NotSeenSince } from "./find-times.tsx";
import { PriceLine } from "./price-line.tsx";
import { StateWords } from "./state-words.tsx";

interface FindCardProps {
  find: FoundHome;
  /** Counted from one, for screen readers. */
  position: number;
  count: number;
}

/** Photos that load eagerly: about as many as a screen shows. */
const FIRST_PHOTOS = 4;

/** One home, written like the alert, with actions by button, key or swipe. */
export const FindCard = memo(function FindCard({ find, position, count }: FindCardProps) {
  const words = useWords("home");
  const { marks, homeAddress } = useListParts();
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const swipe = useSwipe(card, {
    onRight: () => (find.mark === "kept" ? marks.unmark(find) : marks.keep(find)),
    onLeft: () => marks.hide(find),
  });
  const isGone = find.goneAt !== null;
  const hasPhoto = find.pictureUrl !== null;
  return (
    <div className="group/swipe card-room relative -m-2 p-2">
      <SwipeGround />
      <article
        ref={card}
        data-find={find.homeId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the articles of a feed are what the keys move between
        tabIndex={0}
        aria-labelledby={titleId}
        aria-posinset={position}
        aria-setsize={count}
        {...swipe}
        className={cn(
          "relative grid touch-pan-y overflow-hidden rounded-2xl border border-line bg-surface outline-offset-2 max-sm:gap-x-3 max-sm:gap-y-1.5 max-sm:p-3 max-sm:pb-1",
          hasPhoto
            ? "grid-cols-[6.5rem_minmax(0,1fr)] sm:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[19.5rem_minmax(0,1fr)]"
            : "grid-cols-1",
        )}
      >
        {/* On a phone what identifies the home is beside its photo, and the rest below both. */}
        <div className="min-w-0 content-between gap-3 max-sm:contents sm:grid sm:px-5 sm:pt-4 sm:pb-2">
          <div className="min-w-0 gap-1.5 max-sm:contents sm:grid">
            <div className="grid min-w-0 content-start gap-0.5">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <StateWords find={find} />
                <p className="text-sm text-muted">{placeOf(find)}</p>
              </div>
              <h2 id={titleId} className="text-base-lg leading-snug">
                <OpenLink listingId={find.listingId} to={homeAddress(find)}>
                  {homeLine(find, words)}
                </OpenLink>
              </h2>
              <PriceLine find={find} />
            </div>
            <div className="col-span-full grid min-w-0 gap-1 sm:gap-1.5">
              <FactsLine find={find} />
              <PerM2Line find={find} />
              <Distances find={find} />
              <Warnings find={find} />
              <NotSeenSince find={find} />
              <CardNote find={find} />
              {find.leftOutBy.length > 0 && <LeftOutPart find={find} />}
              <p className="text-sm text-muted">
                <FoundTime find={find} />
                <SearchNames find={find} />
              </p>
            </div>
          </div>
          <div className="col-span-full min-w-0">
            <CardActions find={find} />
          </div>
        </div>
        {/* Its text is the last that a screen reader reads. */}
        {hasPhoto && (
          <div className="relative col-start-1 row-start-1 overflow-hidden bg-chat max-sm:rounded-xl">
            <FindPhoto
              url={find.pictureUrl}
              alt=""
              isFirst={position <= FIRST_PHOTOS}
              isFaded={isGone}
              className="h-full min-h-26 sm:max-h-80 sm:min-h-56"
            />
            <PhotoCount count={find.photoCount} />
          </div>
        )}
      </article>
    </div>
  );
});

interface OpenLinkProps {
  listingId: string;
  to: string;
  children: ReactNode;
}

/** Covers the whole card; buttons lie above it. */
function OpenLink({ listingId, to, children }: OpenLinkProps) {
  const [params] = useSearchParams();
  const isOpen = params.get("home") === listingId;
  const [isChosen, follow] = usePressedLink(isOpen);
  const options = { preventScrollReset: true, state: { isOpenedHere: true } };
  return (
    <Link
      to={to}
      {...options}
      data-open
      aria-busy={isChosen && !isOpen}
      onClick={follow(true, to, options)}
      className="after:absolute after:inset-0 hover:underline hover:decoration-ink/35 hover:underline-offset-4 aria-busy:after:bg-ink/7"
    >
      {children}
    </Link>
  );
}

function PhotoCount({ count }: { count: number }) {
  const t = useTexts("finds");
  if (count < 2) return null;
  return (
    <span className="figures absolute bottom-1.5 left-1.5 rounded-md bg-night/75 px-1.5 text-xs leading-5 font-semibold text-white">
      {t("card.photos", { count })}
    </span>
  );
}

/** Shown only with several searches. */
function SearchNames({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const { searchNames } = useListParts();
  const names = find.searchIds.flatMap((id) => searchNames.get(id) ?? []);
  if (names.length === 0) return null;
  return (
    <>
      {"\u00a0· "}
      {t("card.search", { name: names.join(" · ") })}
    </>
  );
}

/** What a swipe will do, shown behind the moving card. */
function SwipeGround() {
  const t = useTexts("finds");
  const ground =
    "absolute inset-2 hidden items-center rounded-2xl px-6 font-semibold group-data-swiped/swipe:opacity-100 opacity-70";
  return (
    <div aria-hidden>
      <div className={cn(ground, "bg-good text-background group-data-[swipe=right]/swipe:flex")}>
        <Heart className="mr-2 size-5" />
        {t("actions.keep")}
      </div>
      <div
        className={cn(
          ground,
          "justify-end bg-strong-line text-background group-data-[swipe=left]/swipe:flex",
        )}
      >
        {t("actions.hide")}
      </div>
    </div>
  );
}
