import { intervalKindOf, intervalSentence } from "#text/watch-interval.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

/** What the person can expect after saving. */
export function useSavedWords(): (isNew: boolean) => string {
  const t = useTexts("filter");
  const words = useWords("common");
  const watchInterval = useWatchInterval();
  if (intervalKindOf(watchInterval) === "promised") {
    return (isNew) => (isNew ? t("messages.successInitial") : t("messages.successUpdate"));
  }
  const interval = intervalSentence(watchInterval, words);
  return (isNew) =>
    isNew ? t("messages.successInitialAt", { interval }) : t("messages.successUpdateAt", { interval });
}
