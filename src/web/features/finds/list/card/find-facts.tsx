import { Eye, MapPin } from "lucide-react";
import { distancesTo } from "#core/finds/distance.ts";
import type { FoundHome } from "#core/finds/find.ts";
import { distanceWords } from "#text/distance-words.ts";
import { factsOf, pricePerM2Line } from "#text/home-words.ts";
import { warningName, warningWords } from "#text/warning-words.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { useListParts } from "../list-context.ts";

/** "58 m² · 2 bedrooms · 3rd floor, lift · agency" */
export function FactsLine({ find }: { find: FoundHome }) {
  const facts = factsOf(find, useWords("home"));
  if (facts.length === 0) return null;
  return <p className="figures text-md leading-snug">{facts.join("\u00a0· ")}</p>;
}

/** "€21.6/m², 9% below the median in Trafalgar (84 homes seen)" */
export function PerM2Line({ find }: { find: FoundHome }) {
  const line = pricePerM2Line(find, useWords("home"));
  return line === null ? null : <p className="figures text-sm leading-snug text-muted">{line}</p>;
}

export function Distances({ find }: { find: FoundHome }) {
  const words = useWords("home");
  const distances = distancesTo(find, useListParts().places, find.travelTimes);
  if (distances.length === 0) return null;
  return (
    <p className="figures flex gap-1.5 text-sm leading-snug text-muted">
      <MapPin aria-hidden className="mt-px size-4 shrink-0" />
      <span>{distances.map((distance) => distanceWords(distance, words)).join("\u00a0· ")}</span>
    </p>
  );
}

export function Warnings({ find }: { find: FoundHome }) {
  const t = useTexts("finds");
  const words = useWords("home");
  if (find.warnings.length === 0) return null;
  return (
    <p className="flex gap-1.5 text-sm leading-snug">
      <Eye aria-hidden className="mt-px size-4 shrink-0 text-muted" />
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{t("card.doubleCheck")}</span>{" "}
        {find.warnings
          .map((warning) =>
            // The line above has the figure of today; the warning's is of the day of the alert.
            warning.kind === "far-below-zone" && find.comparison
              ? warningName(warning.kind, words)
              : warningWords(warning, words),
          )
          .join("\u00a0· ")}
      </span>
    </p>
  );
}
