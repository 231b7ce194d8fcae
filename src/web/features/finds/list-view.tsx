import { useQueryClient } from "@tanstack/react-query";
import { Keyboard } from "lucide-react";
import {
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { useSearchParams } from "react-router";
import type { FoundHome } from "#core/finds/find.ts";
import { FieldConflicts } from "#web/components/parts/field-conflicts.tsx";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { whenIdle } from "#web/lib/browser/next-task.ts";
import { readStored, store } from "#web/lib/browser/storage.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { STORAGE_KEYS } from "#web/lib/site/constants.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { type FindAddress, isFiltered, withParts } from "./list/address/find-address.ts";
import { NowContext } from "./list/card/find-times.tsx";
import { Filters } from "./list/filters/filters.tsx";
import { zoneOptionsOf } from "./list/filters/zone-options.ts";
import { FindList } from "./list/find-list.tsx";
import type { LoadedFinds } from "./list/find-pages.ts";
import { LeftOutPart } from "./list/left-out/left-out-part.tsx";
import { ListContext, type ListParts } from "./list/list-context.ts";
import { createOpenNote } from "./list/open-note.ts";
import { useFinds } from "./list/use-finds.ts";
import { useFreshCards } from "./list/use-fresh-cards.ts";
import { useListKeys } from "./list/use-list-keys.ts";
import { useLiveFinds } from "./list/use-live-finds.ts";
import { useMarks } from "./list/use-marks.ts";
import { usePreloadMap } from "./map-view.tsx";
import { usePlaces, useSearches, useSearchNames } from "./use-own-facts.ts";

export const HomePart = lazyPart(async () => (await import("./home/opened-home.tsx")).OpenedHome, {
  isFloating: true,
});
const KeysDialog = lazyPart(async () => (await import("./list/keys-dialog.tsx")).KeysDialog, {
  isFloating: true,
  onDismiss: ({ onClose }) => onClose(),
});

const CLOCK_MS = 60_000;
const OFF = "off";

interface ListViewProps {
  userId: string;
  address: FindAddress;
  onCount(count: number | null): void;
}

export function ListView({ userId, address, onCount }: ListViewProps) {
  const t = useTexts("finds");
  const { filter, home } = useStableFilter(address);
  const query = useFinds(userId, filter);
  const { freshCount, showNew } = useLiveFinds(userId, filter);
  const searches = useSearches(userId);
  const searchNames = useSearchNames(searches);
  const parts = useParts(userId, searchNames);
  const zones = useZones(userId, query.finds);
  const list = useRef<HTMLDivElement>(null);
  useFreshCards(userId, filter, list);
  const keys = useKeys(list, query.finds, parts);
  const now = useNow(CLOCK_MS);
  // A home that the address opens comes before the list, which it covers on a phone.
  const isListShown = useDeferredValue(true, home === null);
  // Without any finds there is nothing to filter.
  const isBare = query.count === 0 && query.finds.length === 0 && !isFiltered(filter);
  useEffect(() => onCount(query.count), [query.count, onCount]);
  const preloadMap = usePreloadMap();
  // Load the dialog before the first click on a card, then the map. The service worker loads both anyway.
  const preload = useEffectEvent(() =>
    HomePart.preload()
      .then(() => preloadMap(query.finds))
      .catch(() => undefined),
  );
  useEffect(() => {
    if (query.finds.length > 0) whenIdle(() => void preload());
  }, [query.finds.length]);
  return (
    <NowContext value={now}>
      <ListContext value={parts}>
        <div
          className={cn(
            "grid grid-cols-1 gap-3 sm:gap-4 lg:gap-8",
            !isBare && "lg:grid-cols-[15rem_minmax(0,1fr)]",
          )}
        >
          {isListShown && (
            <div className={cn("min-w-0 lg:sticky lg:top-6 lg:self-start", isBare && "hidden")}>
              <Filters filter={filter} searchNames={searchNames} zones={zones} />
              <div className="mt-6 -ml-3 hidden lg:pointer-fine:block">
                <Button variant="ghost" onClick={keys.showHelp}>
                  <Keyboard aria-hidden className="size-4.5" />
                  {t("keys.open")}
                </Button>
              </div>
            </div>
          )}
          {isListShown && (
            <div id="homes" tabIndex={-1} className="min-w-0 outline-none">
              <FieldConflicts userId={userId} />
              {filter.state === "left-out" && <LeftOutPart searchId={filter.searchId} />}
              <FindList
                list={list}
                query={query}
                filter={filter}
                hasSearch={searches && searches.length > 0}
                freshCount={freshCount}
                onShowNew={showNew}
              />
            </div>
          )}
        </div>
        <Suspense fallback={null}>
          {home !== null && <HomePart userId={userId} listingId={home} />}
          {keys.isHelpOpen && <KeysDialog isOn={keys.isOn} onTurn={keys.turn} onClose={keys.closeHelp} />}
        </Suspense>
      </ListContext>
    </NowContext>
  );
}

/** Returns the same object for an equal filter, so that opening a home does not reload the list. */
function useStableFilter({ filter, home }: FindAddress): Pick<FindAddress, "filter" | "home"> {
  const [stable, setStable] = useState(filter);
  const isSame = JSON.stringify(stable) === JSON.stringify(filter);
  if (!isSame) setStable(filter);
  return { filter: isSame ? stable : filter, home };
}

function useParts(userId: string, searchNames: ReadonlyMap<string, string>): ListParts {
  const marks = useMarks(userId);
  const places = usePlaces(userId);
  const [params] = useSearchParams();
  const [openNote] = useState(createOpenNote);
  // Opening a home changes the address, but must not render the cards again.
  const around = withParts(params, { home: null });
  return useMemo(
    () => ({
      marks,
      places,
      searchNames,
      homeAddress: ({ listingId }) => withParts(new URLSearchParams(around), { home: listingId }),
      openNote,
    }),
    [marks, places, searchNames, around, openNote],
  );
}

/** The zones of all loaded lists, so that choosing one keeps the others as options. */
function useZones(userId: string, finds: readonly FoundHome[]) {
  const queries = useQueryClient();
  const language = useLanguage();
  return useMemo(() => {
    const lists = queries.getQueriesData<LoadedFinds>({ queryKey: queryKeys.finds(userId) });
    const named = lists.flatMap(([, loaded]) => loaded?.pages[0]?.zones ?? []);
    return zoneOptionsOf([...named, ...finds], language);
  }, [queries, userId, finds, language]);
}

function useKeys(list: React.RefObject<HTMLElement | null>, finds: readonly FoundHome[], parts: ListParts) {
  const navigate = useNavigate();
  const [isOn, setOn] = useState(() => readStored(STORAGE_KEYS.findKeys) !== OFF);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { marks, homeAddress, openNote } = parts;
  useListKeys({
    list,
    finds,
    isOn,
    actions: {
      open: (find) =>
        void navigate(homeAddress(find), { preventScrollReset: true, state: { isOpenedHere: true } }),
      keep: (find) => (find.mark === "kept" ? marks.unmark(find) : marks.keep(find)),
      hide: (find) => marks.hide(find),
      note: (find) => openNote.open(find.homeId),
      help: () => setHelpOpen(true),
    },
  });
  const turn = useCallback((next: boolean) => {
    store(STORAGE_KEYS.findKeys, next ? "on" : OFF);
    setOn(next);
  }, []);
  return {
    isOn,
    turn,
    isHelpOpen,
    showHelp: () => setHelpOpen(true),
    closeHelp: () => setHelpOpen(false),
  };
}
