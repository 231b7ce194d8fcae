/** What rules left out: the reason on a card, and how many there were. */
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Filter, RotateCcw } from "lucide-react";
import type { FoundHome, LeftOutCounts } from "#core/finds/find.ts";
import { formatNumber } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { Button } from "#web/components/ui/button.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { forgetEarlyFinds } from "#web/lib/backend/finds.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useListParts } from "../list-context.ts";

export type LeftOutProps = { find: FoundHome } | { searchId: string | undefined };

/** The reason on the card of a home, or without a home how many were left out. */
export function LeftOut(props: LeftOutProps) {
  return "find" in props ? <Reason {...props} /> : <Counts {...props} />;
}

function Reason({ find }: { find: FoundHome }) {
  const t = useTexts("rules");
  const words = { rules: useWords("rules"), home: useWords("home") };
  const { places, searchNames } = useListParts();
  const { isBusy, run } = useBringBack(find);
  const reasons = find.leftOutBy.map(({ searchId, rule }) => {
    const reason = ruleReason(rule, words, places);
    const search = searchNames.get(searchId);
    return search === undefined ? reason : `${reason} (${search})`;
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p className="flex min-w-0 gap-1.5 text-sm leading-snug font-semibold">
        <Filter aria-hidden className="mt-px size-4 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">
          {t("leftOut.reason", { reason: reasons.join("\u00a0· ") })}
        </span>
      </p>
      <Button variant="outline" className="relative z-10" disabled={isBusy} onClick={() => run()}>
        <RotateCcw aria-hidden className="size-4.5" />
        {t("leftOut.bringBack")}
      </Button>
    </div>
  );
}

/** Treats the home as found: its searches name it, and its alert is sent. */
function useBringBack({ listingId }: FoundHome) {
  const t = useTexts("rules");
  const queries = useQueryClient();
  const userId = useSession().user?.id ?? "";
  return useAction({
    run: async () => {
      const supabase = await loadSupabase();
      dataOf(await supabase.rpc("bring_back", { listing_id: listingId }));
    },
    onSuccess: () => {
      forgetEarlyFinds();
      for (const keyOf of [queryKeys.finds, queryKeys.watch])
        void queries.invalidateQueries({ queryKey: keyOf(userId) });
      return t("leftOut.back", { returnObjects: true });
    },
    failure: t("leftOut.failed", { returnObjects: true }),
  });
}

function countsQuery(userId: string, searchId: string | undefined) {
  return queryOptions({
    queryKey: queryKeys.leftOutCounts(userId, searchId),
    queryFn: () => fetchCounts(searchId),
  });
}

async function fetchCounts(searchId: string | undefined): Promise<LeftOutCounts> {
  const supabase = await loadSupabase();
  const asked = searchId === undefined ? {} : { search_id: searchId };
  return dataOf(await supabase.rpc("my_left_out_counts", asked).retry(false));
}

function Counts({ searchId }: { searchId: string | undefined }) {
  const t = useTexts("rules");
  const language = useLanguage();
  const userId = useSession().user?.id ?? "";
  const { data } = useQuery(countsQuery(userId, searchId));
  if (!data) return null;
  const number = (count: number) => formatNumber(count, language);
  return (
    <p className="figures mb-3 text-md text-muted">
      {t("leftOut.days", { today: number(data.today), week: number(data.week), month: number(data.month) })}
    </p>
  );
}
