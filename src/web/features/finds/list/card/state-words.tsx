import { type ReactNode, useContext } from "react";
import type { FoundHome } from "#core/finds/find.ts";
import { goneWords } from "#text/gone-words.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { NowContext } from "./find-times.tsx";

const DAY_MS = 86_400_000;

export function StateWords({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const isNew = useIsNew(find);
  const words = useWords("home");
  const gone =
    find.goneAt === null ? null : goneWords(Date.parse(find.foundAt), Date.parse(find.goneAt), words);
  const isCheaper = isCheaperNow(find);
  const isBack = find.advertCount > 1;
  if (!isNew && gone === null && !isCheaper && !isBack && find.mark === null) return null;
  return (
    <ul aria-label={t("states.label")} className="flex flex-wrap gap-1.5">
      {isNew && <Word className="bg-ink text-background">{t("states.new")}</Word>}
      {find.mark === "kept" && <Word className="bg-lantern text-on-lantern">{t("states.kept")}</Word>}
      {find.mark === "hidden" && <Word>{t("states.hidden")}</Word>}
      {isCheaper && <Word className="bg-good text-background">{t("states.cheaper")}</Word>}
      {gone !== null && <Word>{gone}</Word>}
      {isBack && gone === null && <Word>{t("card.back")}</Word>}
    </ul>
  );
}

function Word({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <li
      className={cn(
        "rounded-full px-2.5 py-0.5 text-fine leading-5 font-semibold",
        className ?? "bg-ink/8 text-ink",
      )}
    >
      {children}
    </li>
  );
}

/** For one day, unless another state is shown. */
function useIsNew(find: FoundHome): boolean {
  const now = useContext(NowContext);
  const isPlain = find.mark === null && find.goneAt === null && find.advertCount === 1 && !isCheaperNow(find);
  return isPlain && now.getTime() - Date.parse(find.foundAt) < DAY_MS;
}

export function isCheaperNow({ priceEur, formerPriceEur }: FoundHome): boolean {
  return priceEur !== null && formerPriceEur !== null && priceEur < formerPriceEur;
}
