import { PencilLine } from "lucide-react";
import { useMemo } from "react";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { Button } from "#web/components/ui/button.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { Chat } from "../chats/chat-calls.ts";
import type { SavedFilter } from "../form/form-state.ts";
import { CARD, CardFacts, CardStatus, PauseButton } from "../searches/card-parts.tsx";

interface OwnCardProps {
  userId: string;
  search: SavedSearch | null;
  saved: SavedFilter | null;
  watch: Watch | null | undefined;
  chats: readonly Chat[] | undefined;
  /** The form that Edit opens and closes. */
  formId: string;
  isFormOpen: boolean;
  onFormToggle(): void;
}

/** The search on its own page. The heading of the page, or the sentence, names it. */
export function OwnCard({ userId, search, saved, watch, chats, ...form }: OwnCardProps) {
  const t = useTexts("filter");
  const sentence = useSearchWords(saved?.url ?? "");
  return (
    <section aria-labelledby="watch" className={CARD}>
      <h2 id="watch" className="sr-only">
        {t("watch.title")}
      </h2>
      <CardStatus isLive search={search} watch={watch} />
      {sentence && <p className="leading-snug font-medium wrap-anywhere">{sentence}</p>}
      <CardFacts
        search={search}
        ids={saved?.ids ?? []}
        watch={watch}
        chats={chats}
        className="md:grid-cols-4"
      />
      {search && (
        <div className="flex flex-wrap gap-2">
          <PauseButton userId={userId} search={search} />
          <Button
            variant="outline"
            size="sm"
            aria-expanded={form.isFormOpen}
            aria-controls={form.formId}
            onClick={form.onFormToggle}
          >
            <PencilLine aria-hidden className="size-4.5" />
            {t("searches.edit")}
          </Button>
        </div>
      )}
    </section>
  );
}

function useSearchWords(url: string): string | undefined {
  const words = useWords("search");
  return useMemo(() => {
    const parsed = parseSearchUrl(url);
    return parsed.ok ? describeSearch(parsed.search, words).text : undefined;
  }, [url, words]);
}
