import { Clock } from "lucide-react";
import { createContext, useContext } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { timeWithin } from "#text/labels.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

/** One clock for all cards, so that a passing minute renders only their times. */
export const NowContext = createContext(new Date(0));

function useTime(time: string): string {
  return timeWithin(new Date(time), useContext(NowContext), useWords("common"));
}

export function FoundTime({ find }: { find: Pick<FoundHome, "foundAt"> }) {
  const t = useTexts("finds");
  return <time dateTime={find.foundAt}>{t("card.found", { time: useTime(find.foundAt) })}</time>;
}

/** A warning: no check has seen the home since then, and none saw it end. */
export function NotSeenSince({ find }: { find: Pick<FoundHome, "notSeenSince"> }) {
  const t = useTexts("finds");
  const at = find.notSeenSince;
  const time = useClockTime(at);
  if (at === null) return null;
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (
    <p className="flex gap-1.5 text-sm leading-snug font-semibold">
      <Clock aria-hidden className="mt-px size-4 shrink-0 text-muted" />
      <time dateTime={at}>{t(isToday ? "card.notSeenTime" : "card.notSeenDate", { time })}</time>
    </p>
  );
}
