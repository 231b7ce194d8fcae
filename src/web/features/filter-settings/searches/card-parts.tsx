/** What the card of a search shows. */
import { Pause, Play } from "lucide-react";
import { type Health, healthOf, type ToldGap } from "#core/health/health-of.ts";
import { gapWords } from "#text/health-words.ts";
import { formatList, timeLabel } from "#text/labels.ts";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { LanternMark } from "#web/components/lantern-mark.tsx";
import { Fact, FactList } from "#web/components/ui/facts.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useHealthWords } from "#web/lib/i18n/use-health-words.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { Chat } from "../chats/chat-calls.ts";
import { chatName } from "../chats/chat-name.ts";
import { NextCheck } from "../watch/next-check.tsx";
import { usePause } from "./use-search-actions.ts";

interface CardStatusProps {
  search: SavedSearch;
  /** Undefined while loading, null if it could not be loaded. */
  watch: Watch | null | undefined;
  /** Changes are announced. */
  isLive?: boolean;
  /** The page says it once for all searches that are watched. */
  isWatchingSaid?: boolean;
}

export function CardStatus({ search, watch, isLive = false, isWatchingSaid = false }: CardStatusProps) {
  const t = useTexts("filter");
  const health = healthOfSearch(search, watch);
  if (isWatchingSaid && isWatching(search, watch) && !watch?.last_gap) return null;
  return (
    <div className="flex items-start gap-3.5">
      <StateLantern isLit={health?.state === "watching" || health?.state === "first"} />
      <div role={isLive ? "status" : undefined} className="grid min-h-11 min-w-0 content-center gap-1">
        {health ? (
          <>
            <StatusWords health={health} />
            {watch?.last_gap && <GapWords gap={watch.last_gap} />}
          </>
        ) : watch === null ? (
          <p className="text-md">{t("watch.unavailable")}</p>
        ) : (
          <Skeleton className="h-6 w-48" />
        )}
      </div>
    </div>
  );
}

function healthOfSearch({ isPaused }: SavedSearch, watch: Watch | null | undefined): Health | undefined {
  return watch ? healthOf({ ...watch, is_paused: isPaused }) : undefined;
}

export function isWatching(search: SavedSearch, watch: Watch | null | undefined): boolean {
  return healthOfSearch(search, watch)?.state === "watching";
}

function StatusWords({ health }: { health: Health }) {
  const { title, text } = useHealthWords(health);
  return (
    <>
      <p className="text-lg leading-snug font-bold tracking-snug">{title}</p>
      {text !== undefined && <p className="text-md leading-snug text-muted">{text}</p>}
    </>
  );
}

function GapWords({ gap }: { gap: ToldGap }) {
  return <p className="figures text-sm leading-snug text-muted">{gapWords(gap, useWords("health"))}</p>;
}

/** The lantern at night, in both themes: lit while the search is watched. */
function StateLantern({ isLit }: { isLit: boolean }) {
  return (
    <div className="night relative grid size-11 shrink-0 place-items-center overflow-hidden rounded-xl bg-[linear-gradient(180deg,#0b1220_0%,#12203c_60%,#1d2b4b_100%)]">
      {isLit && (
        <div className="absolute inset-0 bg-[radial-gradient(closest-side,rgb(245_165_36/0.5),rgb(245_165_36/0.16)_55%,transparent_85%)]" />
      )}
      <LanternMark className={cn("relative size-7 text-ink", !isLit && "opacity-55 grayscale")} />
    </div>
  );
}

const CLOCK_MS = 15_000;

interface CardFactsProps {
  search: SavedSearch;
  watch: Watch | null | undefined;
  chats: readonly Chat[] | undefined;
  className?: string;
}

/** Its chats, and when it was and will be checked. */
export function CardFacts({ search, watch, chats, className }: CardFactsProps) {
  const t = useTexts("filter");
  const words = useWords("common");
  const now = useNow(CLOCK_MS);
  const health = healthOfSearch(search, watch);
  return (
    <FactList {...(className && { className })}>
      <Fact name={t("card.chats")} className="col-span-2">
        <ChatNames ids={search.ids} chats={chats} />
      </Fact>
      <Fact name={t("watch.facts.last")}>
        {watch?.last_ok_at ? (
          <time dateTime={watch.last_ok_at}>{timeLabel(new Date(watch.last_ok_at), now, words)}</time>
        ) : (
          t("watch.facts.none")
        )}
      </Fact>
      <Fact name={t("watch.facts.next")}>
        {watch && health ? <NextCheck watch={watch} health={health} now={now} /> : "–"}
      </Fact>
    </FactList>
  );
}

function ChatNames({ ids, chats }: Pick<CardFactsProps, "chats"> & { ids: readonly string[] }) {
  const t = useTexts("filter");
  const language = useLanguage();
  if (chats === undefined) return <Skeleton className="h-5 w-32" />;
  const own = ids.map((id) => ({ id, chat: chats.find((one) => one.id === id) }));
  const isUnconfirmed = own.some(({ chat }) => chat?.state === "connected" && !chat.isConfirmed);
  return (
    <>
      {formatList(
        own.map(({ id, chat }) => chatName(t, id, chat)),
        language,
      )}
      {isUnconfirmed && (
        <span className="mt-0.5 block text-sm font-normal text-muted">{t("advice.unconfirmed")}</span>
      )}
    </>
  );
}

interface PauseButtonProps {
  userId: string;
  search: SavedSearch;
  /** Names the search, where there are several. */
  label?: string;
}

export function PauseButton({ userId, search, label }: PauseButtonProps) {
  const t = useTexts("filter");
  const { isBusy, run } = usePause(userId, search);
  const Icon = search.isPaused ? Play : Pause;
  return (
    <BusyButton
      variant={search.isPaused && label === undefined ? "lantern" : "outline"}
      size="sm"
      aria-label={label}
      isBusy={isBusy}
      busyText={t("watch.pausing")}
      onClick={() => run()}
    >
      <Icon aria-hidden className="size-4.5 max-sm:hidden" />
      {search.isPaused ? t("watch.resume") : t("watch.pause")}
    </BusyButton>
  );
}
