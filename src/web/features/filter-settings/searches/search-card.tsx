import { ChevronDown, PencilLine } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { homeLine } from "#text/home-words.ts";
import { formatPrice, timeLabel } from "#text/labels.ts";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useFocusOnClose } from "#web/lib/browser/use-focus-on-close.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { searchNameOf } from "#web/lib/i18n/search-name.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useIsOnline } from "#web/lib/offline/use-is-online.ts";
import type { Chat } from "../chats/chat-calls.ts";
import { RawLink } from "../search/portal-link.tsx";
import { understandUrl } from "../search/understand-url.ts";
import { CARD, CardFacts, CardStatus, PauseButton } from "./card-parts.tsx";
import { RenameForm } from "./rename-form.tsx";
import { newSearchAddress, searchAddress } from "./search-address.ts";
import { sameSearchOf } from "./search-rows.ts";

export interface SearchCardProps {
  userId: string;
  search: SavedSearch;
  /** Undefined while loading, null if it could not be loaded. */
  watch: Watch | null | undefined;
  chats: readonly Chat[] | undefined;
  others: readonly SavedSearch[];
  isFull: boolean;
  isDeleting: boolean;
  onDelete(): void;
}

/** A search in the list of several. */
export function SearchCard({ userId, search, watch, chats, others, ...actions }: SearchCardProps) {
  const words = useWords("search");
  const [isRenaming, setRenaming] = useState(false);
  const title = useId();
  const name = searchNameOf(search, words, others);
  const understood = understandUrl(search.url, { words, canSearchByUrl: true });
  return (
    <article aria-labelledby={title} className={cn(CARD, "content-between")}>
      <div className="grid content-start gap-4">
        <CardStatus search={search} watch={watch} />
        <div className="grid gap-1.5">
          <h2 id={title} className={cn("text-xl sm:text-2xl", isRenaming && "sr-only")}>
            <LocalLink
              id={`search-${search.id}`}
              to={searchAddress(search.id)}
              className="rounded-sm decoration-ink/35 underline-offset-4 hover:underline"
            >
              {name}
            </LocalLink>
          </h2>
          {isRenaming && <RenameForm userId={userId} search={search} onDone={() => setRenaming(false)} />}
          {understood.state === "understood" && (
            <p className="text-md leading-snug text-muted wrap-anywhere">{understood.text}</p>
          )}
        </div>
        <SameAs search={search} others={others} />
        <CardFacts search={search} ids={search.ids} watch={watch} chats={chats} />
        <LastFind watch={watch} />
      </div>
      <Actions
        userId={userId}
        search={search}
        name={name}
        isRenaming={isRenaming}
        onRename={() => setRenaming(true)}
        {...actions}
      />
    </article>
  );
}

function SameAs({ search, others }: Pick<SearchCardProps, "search" | "others">) {
  const t = useTexts("filter");
  const words = useWords("search");
  const same = sameSearchOf(search.url, others);
  if (!same) return null;
  return (
    <p className="text-sm text-muted wrap-anywhere">
      {t("searches.sameAs", { name: searchNameOf(same, words, [search, ...others]) })}
    </p>
  );
}

const CLOCK_MS = 30_000;

function LastFind({ watch }: Pick<SearchCardProps, "watch">) {
  const t = useTexts("filter");
  const common = useWords("common");
  const words = useWords("home");
  const now = useNow(CLOCK_MS);
  if (!watch) return null;
  const { last_find: find } = watch;
  if (!find) return <p className="border-t border-line pt-3 text-sm text-muted">{t("searches.noFind")}</p>;
  const facts = [
    find.price_eur === null ? null : formatPrice(find.price_eur, words.language),
    timeLabel(new Date(find.at), now, common),
  ];
  return (
    <dl className="grid gap-0.5 border-t border-line pt-3 text-sm">
      <dt className="text-muted">{t("searches.lastFind")}</dt>
      <dd className="grid gap-0.5">
        <span className="text-md leading-snug font-semibold wrap-anywhere">{homeLine(find.home, words)}</span>
        <span className="figures text-muted">{facts.filter((fact) => fact !== null).join(" · ")}</span>
      </dd>
    </dl>
  );
}

interface ActionsProps
  extends Pick<SearchCardProps, "userId" | "search" | "isFull" | "isDeleting" | "onDelete"> {
  name: string;
  isRenaming: boolean;
  onRename(): void;
}

/** Frequent actions are buttons; the others are in a menu. */
function Actions({ userId, search, name, isFull, isDeleting, isRenaming, onRename, onDelete }: ActionsProps) {
  const t = useTexts("filter");
  const [isOpen, setOpen] = useState(false);
  const rename = useFocusOnClose(isRenaming);
  const isOnline = useIsOnline();
  const [isRefused, setRefused] = useState(false);
  // Not queued: the search goes on alerting until the deletion is sent, and until then nothing could undo it.
  const askDelete = () => (isOnline ? onDelete() : setRefused(true));
  const more = useId();
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <PauseButton
          userId={userId}
          search={search}
          label={t(search.isPaused ? "searches.resumeNamed" : "searches.pauseNamed", { name })}
        />
        <Button variant="outline" size="sm" asChild>
          <LocalLink to={searchAddress(search.id)} aria-label={t("searches.editNamed", { name })}>
            <PencilLine aria-hidden className="size-4.5 max-sm:hidden" />
            {t("searches.edit")}
          </LocalLink>
        </Button>
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={more}
          aria-label={t("searches.moreNamed", { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {t("searches.more")}
          <ChevronDown aria-hidden className={cn("size-4.5", isOpen && "rotate-180")} />
        </Button>
      </div>
      <div id={more} hidden={!isOpen}>
        <RawLink url={search.url} />
        <div className="flex flex-wrap gap-x-5">
          <Quiet>
            <button
              ref={rename}
              type="button"
              aria-label={t("searches.renameNamed", { name })}
              onClick={onRename}
            >
              {t("searches.rename")}
            </button>
          </Quiet>
          {!isFull && (
            <Quiet>
              <LocalLink to={newSearchAddress(search.id)} aria-label={t("searches.copyNamed", { name })}>
                {t("searches.copy")}
              </LocalLink>
            </Quiet>
          )}
          <Quiet isDanger>
            <button
              type="button"
              aria-disabled={isDeleting}
              aria-label={t("searches.deleteNamed", { name })}
              onClick={askDelete}
            >
              {t("searches.delete")}
            </button>
          </Quiet>
        </div>
        {isRefused && !isOnline && <FailureNotice message={t("searches.deleteOffline")} />}
      </div>
    </div>
  );
}

function Quiet({ isDanger = false, children }: { isDanger?: boolean; children: ReactNode }) {
  return (
    <Button variant={isDanger ? "dangerLink" : "link"} size="line" asChild>
      {children}
    </Button>
  );
}
