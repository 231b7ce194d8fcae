import { useDeferredValue, useEffect, useRef, useState } from "react";
import { localizedPath } from "#core/languages.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { Lantern } from "../../../components/lantern.tsx";
import { LanternMark } from "../../../components/lantern-mark.tsx";
import { buttonVariants } from "../../../components/ui/button-variants.ts";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import type { ShownListing } from "./demo-listing.ts";
import { DemoContext, type DemoProps, useDemo } from "./demo-props.ts";
import { ListingBubble } from "./listing-bubble.tsx";
import { type DemoFeed, useDemoFeed } from "./use-demo-feed.ts";

const LABELS_RENEWED_MS = 15_000;

/** The chat on a phone. Its size does not depend on its content. */
export function DemoChat(props: DemoProps) {
  const { texts } = props;
  // The list renders in slices, so that a phone can respond in between.
  const feed = useDeferredValue(useDemoFeed(props));
  const listings = feed.state === "list" ? feed.listings : undefined;
  const newIds = useNewListings(listings);
  const newest = listings?.find(({ id }) => newIds.has(id));
  return (
    <DemoContext value={props}>
      <section aria-label={texts.label} className="relative">
        <Lantern
          isBright={newIds.size > 0}
          className="-top-15.5 right-5 h-16 lg:-top-2 lg:right-auto lg:-left-24 lg:h-28"
        />
        <div className="relative mx-auto flex h-144 max-w-md flex-col overflow-hidden rounded-3xl border border-line bg-chat shadow-card lg:h-152 lg:rounded-phone lg:border-10 lg:border-[#05080f]">
          <ChatHeader feed={feed} />
          <ChatBody feed={feed} newIds={newIds} />
        </div>
        <p role="status" className="sr-only">
          {newest && `${texts.newListing} · ${newest.title ?? texts.title}`}
        </p>
      </section>
    </DemoContext>
  );
}

function ChatHeader({ feed }: { feed: DemoFeed }) {
  const { texts } = useDemo();
  return (
    <div className="flex items-center gap-3 border-b border-line bg-surface px-4 py-2.5 lg:pt-4">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-night ring-1 ring-line">
        <LanternMark className="size-6" />
      </span>
      <div className="min-w-0 leading-tight">
        <p className="font-semibold">{texts.sender}</p>
        <p className="text-sm text-muted">{texts[statusKeyOf(feed)]}</p>
      </div>
    </div>
  );
}

function statusKeyOf(feed: DemoFeed) {
  if (feed.state === "loading") return "statusLoading";
  if (feed.state === "empty") return feed.hasSearch ? "statusOwn" : "statusNone";
  if (feed.origin === "own") return "statusOwn";
  return feed.origin === "demo" ? "statusLive" : "statusSample";
}

function ChatBody({ feed, newIds }: { feed: DemoFeed; newIds: ReadonlySet<string> }) {
  const { texts } = useDemo();
  const now = useNow(LABELS_RENEWED_MS);
  if (feed.state === "loading") return <LoadingBubbles />;
  if (feed.state === "empty") return <EmptyChat hasSearch={feed.hasSearch} />;
  return (
    // A message that does not fit whole moves to a column out of view: nothing is cut, nothing scrolls, and the focus
    // brings the column into view.
    <section
      aria-label={texts.list}
      className="m-3 flex min-h-0 flex-1 flex-col flex-wrap content-start gap-x-3 overflow-hidden"
    >
      <ol className="contents">
        {feed.listings.map((listing) => (
          <ListingBubble key={listing.id} listing={listing} now={now} isNew={newIds.has(listing.id)} />
        ))}
      </ol>
      <div className="w-full">
        <p className="w-fit max-w-17/20 rounded-2xl rounded-bl-md bg-bubble px-4 py-2.5 text-md leading-snug">
          {texts.began}
        </p>
      </div>
    </section>
  );
}

function LoadingBubbles() {
  return (
    <div className="grid flex-1 content-start gap-3 overflow-hidden p-3" aria-busy="true">
      {[0, 1, 2].map((each) => (
        <div key={each} className="grid gap-1.5">
          <div className="flex h-21 items-center gap-3 rounded-2xl rounded-bl-md bg-bubble p-3">
            <Skeleton className="size-14 shrink-0" />
            <div className="grid flex-1 gap-2">
              <Skeleton className="h-3.5 w-3/5" />
              <Skeleton className="h-3.5 w-4/5" />
              <Skeleton className="h-3 w-2/5" />
            </div>
          </div>
          <div className="h-11 rounded-xl bg-bubble/75" />
        </div>
      ))}
    </div>
  );
}

function EmptyChat({ hasSearch }: { hasSearch: boolean }) {
  const { texts, language } = useDemo();
  return (
    <div className="grid flex-1 content-center justify-items-center gap-3 p-6 text-center">
      <LanternMark className="size-12 text-muted" />
      <p className="text-lg font-semibold">{hasSearch ? texts.emptyTitle : texts.noSearchTitle}</p>
      <p className="max-w-64 text-muted">{hasSearch ? texts.emptyText : texts.noSearchText}</p>
      <a
        href={localizedPath("/filter-settings", language)}
        className={buttonVariants({ variant: "outline" })}
      >
        {hasSearch ? texts.emptyAction : texts.noSearchAction}
      </a>
    </div>
  );
}

const BRIGHT_MS = 1200;

/** Listings that arrived after the list was first shown, for a moment. */
function useNewListings(listings: readonly ShownListing[] | undefined): ReadonlySet<string> {
  const known = useRef<ReadonlySet<string>>(undefined);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (listings === undefined) {
      known.current = undefined;
      return;
    }
    const before = known.current;
    known.current = new Set(listings.map(({ id }) => id));
    const added = before ? listings.filter(({ id }) => !before.has(id)) : [];
    if (added.length === 0) return;
    setFresh(new Set(added.map(({ id }) => id)));
    const timer = setTimeout(() => setFresh(new Set()), BRIGHT_MS);
    return () => clearTimeout(timer);
  }, [listings]);
  return fresh;
}
