import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useContext, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { FindDetails, FoundHome } from "#core/finds/find.ts";
import { homeLine, placeOf } from "#text/home-words.ts";
import { Dialog, DialogContent, DialogTitle } from "#web/components/ui/dialog.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { LoadingBlocks } from "#web/components/ui/loading-blocks.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useNavigate } from "#web/lib/site/use-navigate.ts";
import { findQuery } from "../find-calls.ts";
import { withParts } from "../list/address/find-address.ts";
import { NowContext } from "../list/card/find-times.tsx";
import { findOf, type LoadedFinds } from "../list/find-pages.ts";
import { ListContext, type ListParts } from "../list/list-context.ts";
import { createOpenNote } from "../list/open-note.ts";
import { useMarks } from "../list/use-marks.ts";
import { usePlaces } from "../use-own-facts.ts";
import { HomeBar } from "./home-bar.tsx";
import { HomeContent } from "./home-content.tsx";

const CLOCK_MS = 60_000;

interface OpenedHomeProps {
  userId: string;
  listingId: string;
}

/** One home with everything known about it: a dialog, on a phone the whole screen. Back closes it. */
export function OpenedHome({ userId, listingId }: OpenedHomeProps) {
  const t = useTexts("finds");
  const common = useTexts("common");
  const words = useWords("home");
  const close = useClose();
  const find = useQuery(findQuery(userId, listingId));
  const parts = useHomeParts(userId, close);
  const now = useNow(CLOCK_MS);
  const listed = useListed(userId, listingId);
  // An answer that fails leaves what the list knows, and a note that is being typed.
  const shown = find.data === undefined ? listed : find.data;
  const title = shown
    ? homeLine(shown, words)
    : t(find.data === undefined && !isMissing(find) ? "home.loading" : "home.missingTitle");
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && close()}>
      <DialogContent
        size="page"
        closeLabel={common("dialog.close")}
        aria-describedby={undefined}
        onOpenAutoFocus={(event) => {
          // Focus the dialog itself instead of its first button.
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        }}
      >
        <div className="flex min-h-16 shrink-0 flex-col justify-center border-b border-line py-2 pr-16 pl-4 sm:pl-6">
          <DialogTitle className="text-lg leading-snug">{title}</DialogTitle>
          {shown && <p className="text-sm text-muted">{placeOf(shown)}</p>}
        </div>
        <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
          <NowContext value={now}>
            <ListContext value={parts}>
              {shown ? (
                <HomeContent userId={userId} find={shown} details={isDetailed(shown) ? shown : null} />
              ) : (
                <Missing query={find} />
              )}
            </ListContext>
          </NowContext>
        </div>
        {shown && <HomeBar find={shown} />}
      </DialogContent>
    </Dialog>
  );
}

function Missing({ query }: { query: UseQueryResult<unknown> }) {
  const t = useTexts("finds");
  if (isMissing(query))
    return (
      <div className="p-4 sm:p-6">
        <FailureNotice
          message={t("home.failed")}
          retry={{ text: t("list.retry"), onRetry: () => void query.refetch() }}
        />
      </div>
    );
  if (query.data === null) return <p className="p-4 text-muted sm:p-6">{t("home.missingText")}</p>;
  return <LoadingBlocks label={t("home.loading")} heights={["h-64", "h-8", "h-40"]} className="p-4 sm:p-6" />;
}

/** What the list knows, until the details are loaded. */
function useListed(userId: string, listingId: string): FoundHome | undefined {
  const lists = useQueryClient().getQueriesData<LoadedFinds>({ queryKey: queryKeys.finds(userId) });
  return lists.map(([, loaded]) => findOf(loaded, listingId)).find((find) => find !== undefined);
}

function isDetailed(find: FoundHome | FindDetails): find is FindDetails {
  return "prices" in find;
}

/** The same as for the cards, but hiding a home also closes it. */
function useHomeParts(userId: string, close: () => void): ListParts {
  const around = useContext(ListContext);
  const marks = useMarks(userId);
  const places = usePlaces(userId);
  const [openNote] = useState(createOpenNote);
  return useMemo(
    () => ({
      marks: {
        ...marks,
        hide: (find) => {
          marks.hide(find);
          close();
        },
      },
      places,
      searchNames: around?.searchNames ?? new Map(),
      homeAddress: around?.homeAddress ?? (() => ""),
      openNote,
    }),
    [marks, places, around, openNote, close],
  );
}

/** Goes back if the home was opened from this list; a home opened by a link leads to the list. */
function useClose(): () => void {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { state }: { state: unknown } = useLocation();
  const isOpenedHere = typeof state === "object" && state !== null && "isOpenedHere" in state;
  const target = withParts(params, { home: null }) || "?";
  return useMemo(
    () => () => {
      if (isOpenedHere) void navigate(-1);
      else void navigate(target, { replace: true, preventScrollReset: true });
    },
    [navigate, isOpenedHere, target],
  );
}
