/** The card of a search: in the list of several, where its name leads to its page, and on that page. */
import { ChevronDown, PencilLine } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { homeLine } from "#text/home-words.ts";
import { formatPrice, timeLabel } from "#text/labels.ts";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { MOST_SEARCHES, type SavedSearch } from "#web/lib/backend/searches.ts";
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
import { CardFacts, CardStatus, PauseButton } from "./card-parts.tsx";
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
  isDeleting: boolean;
  onDelete(): void;
  /** On its own page: the form that Edit opens and closes. */
  form?: { id: string; isOpen: boolean; onToggle(): void };
}

export function SearchCard({ userId, search, watch, chats, others, form, ...deletion }: SearchCardProps) {
  const t = useTexts("filter");
  const words = useWords("search");
  const [isRenaming, setRenaming] = useState(false);
  const title = useId();
  const name = searchNameOf(search, words, others);
  const understood = understandUrl(search.url, { words, canSearchByUrl: true });
  const Box = form ? "section" : "article";
  return (
    <Box
      aria-labelledby={title}
      className="grid content-between gap-4 rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <div className="grid content-start gap-4">
        <CardStatus {...{ search, watch }} isLive={form !== undefined} isWatchingSaid={form === undefined} />
        <div className="grid gap-1.5">
          {form ? (
            <h2 id={title} className="sr-only">
              {t("watch.title")}
            </h2>
          ) : (
            <NameInList id={title} search={search} name={name} isHidden={isRenaming} />
          )}
          {isRenaming && <RenameForm {...{ userId, search, others }} onDone={() => setRenaming(false)} />}
          {understood.state === "understood" && (
            <p className={cn("leading-snug wrap-anywhere", form ? "font-medium" : "text-md text-muted")}>
              {understood.text}
            </p>
          )}
        </div>
        <SameAs search={search} others={others} />
        <CardFacts
          search={search}
          watch={watch}
          chats={chats}
          {...(form && { className: "md:grid-cols-4" })}
        />
        {!form && <LastFind watch={watch} />}
      </div>
      <Actions
        userId={userId}
        search={search}
        name={name}
        isFull={others.length + 1 >= MOST_SEARCHES}
        isRenaming={isRenaming}
        onRename={() => setRenaming(true)}
        form={form}
        {...deletion}
      />
    </Box>
  );
}

interface NameInListProps {
  id: string;
  search: SavedSearch;
  name: string;
  isHidden: boolean;
}

function NameInList({ id, search, name, isHidden }: NameInListProps) {
  return (
    <h2 id={id} className={cn("text-xl sm:text-2xl", isHidden && "sr-only")}>
      <LocalLink
        id={`search-${search.id}`}
        to={searchAddress(search.id)}
        className="rounded-sm decoration-ink/35 underline-offset-4 hover:underline"
      >
        {name}
      </LocalLink>
    </h2>
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

interface ActionsProps extends Pick<SearchCardProps, "userId" | "search" | "isDeleting" | "onDelete"> {
  form: SearchCardProps["form"] | undefined;
  name: string;
  isFull: boolean;
  isRenaming: boolean;
  onRename(): void;
}

/** Frequent actions are buttons; the others are in a menu. */
function Actions({ userId, search, name, form, isRenaming, onRename, ...more }: ActionsProps) {
  const t = useTexts("filter");
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const pause = t(search.isPaused ? "searches.resumeNamed" : "searches.pauseNamed", { name });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-1.5 sm:gap-2">
        <PauseButton userId={userId} search={search} {...(!form && { label: pause })} />
        {form ? (
          <Button
            variant="outline"
            size="sm"
            aria-expanded={form.isOpen}
            aria-controls={form.id}
            onClick={form.onToggle}
          >
            <EditWords />
          </Button>
        ) : (
          <Button variant="outline" size="sm" asChild>
            <LocalLink to={searchAddress(search.id)} aria-label={t("searches.editNamed", { name })}>
              <EditWords />
            </LocalLink>
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={t("searches.moreNamed", { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {/* In three buttons beside each other on a phone, in every language. */}
          <span className="max-sm:sr-only">{t("searches.more")}</span>
          <ChevronDown aria-hidden className={cn("size-4.5", isOpen && "rotate-180")} />
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        <More search={search} name={name} isRenaming={isRenaming} onRename={onRename} {...more} />
      </div>
    </div>
  );
}

function EditWords() {
  const t = useTexts("filter");
  return (
    <>
      <PencilLine aria-hidden className="size-4.5 max-sm:hidden" />
      {t("searches.edit")}
    </>
  );
}

function More({
  search,
  name,
  isFull,
  isRenaming,
  onRename,
  isDeleting,
  onDelete,
}: Omit<ActionsProps, "userId" | "form">) {
  const t = useTexts("filter");
  const rename = useFocusOnClose(isRenaming);
  const isOnline = useIsOnline();
  const [isRefused, setRefused] = useState(false);
  // Not queued: the search goes on alerting until the deletion is sent, and until then nothing could undo it.
  const askDelete = () => (isOnline ? onDelete() : setRefused(true));
  return (
    <>
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
    </>
  );
}

function Quiet({ isDanger = false, children }: { isDanger?: boolean; children: ReactNode }) {
  return (
    <Button variant={isDanger ? "dangerLink" : "link"} size="line" asChild>
      {children}
    </Button>
  );
}
