import { Pause, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useWatches } from "#web/lib/backend/watches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useChats } from "../chats/use-chats.ts";
import { AddSearch } from "./add-search.tsx";
import { isWatching } from "./card-parts.tsx";
import { SearchCard } from "./search-card.tsx";
import { useDelete, usePauseAll } from "./use-search-actions.ts";

interface SearchListProps {
  userId: string;
  searches: readonly SavedSearch[];
}

export function SearchList({ userId, searches }: SearchListProps) {
  const t = useTexts("filter");
  const watches = useWatches(userId);
  const { data: chats } = useChats(userId);
  const watchOf = (search: SavedSearch) => {
    if (!watches.data) return isMissing(watches) ? null : undefined;
    return watches.data.find(({ id }) => id === search.id);
  };
  const deletion = useFocusedDelete(userId, searches);
  const watched = searches.filter((search) => isWatching(search, watchOf(search))).length;
  return (
    <div className="grid gap-5 md:gap-6">
      <div className="flex flex-wrap items-center gap-3">
        <AddSearch count={searches.length} isProminent />
        <PauseAll userId={userId} searches={searches} />
      </div>
      {watched > 0 && <p className="-mt-2 font-semibold">{t("searches.watched", { count: watched })}</p>}
      <ul aria-label={t("searches.title")} className="grid gap-4 md:gap-5 lg:grid-cols-2">
        {searches.map((search) => (
          <li key={search.id} className="grid min-w-0">
            <SearchCard
              userId={userId}
              search={search}
              watch={watchOf(search)}
              chats={chats}
              others={searches.filter(({ id }) => id !== search.id)}
              isDeleting={deletion.isBusy}
              onDelete={() => deletion.run(search)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PauseAll({ userId, searches }: SearchListProps) {
  const t = useTexts("filter");
  const { isBusy, run } = usePauseAll(userId);
  const areAllPaused = searches.every(({ isPaused }) => isPaused);
  const Icon = areAllPaused ? Play : Pause;
  return (
    <BusyButton
      variant="outline"
      isBusy={isBusy}
      busyText={t("watch.pausing")}
      onClick={() => run(!areAllPaused)}
    >
      <Icon aria-hidden className="size-4.5" />
      {areAllPaused ? t("searches.resumeAll") : t("searches.pauseAll")}
    </BusyButton>
  );
}

/** The clicked button is removed with its card, so the next card takes the focus. */
function useFocusedDelete(userId: string, searches: readonly SavedSearch[]) {
  const [nextId, setNextId] = useState<string>();
  useEffect(() => {
    if (nextId === undefined) return;
    document.getElementById(`search-${nextId}`)?.focus();
    setNextId(undefined);
  }, [nextId]);
  return useDelete(userId, (deleted) => {
    const place = searches.findIndex(({ id }) => id === deleted.id);
    setNextId((searches[place + 1] ?? searches[place - 1])?.id);
  });
}
