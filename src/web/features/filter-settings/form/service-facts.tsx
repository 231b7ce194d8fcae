import { intervalKindOf, intervalLabel } from "#text/watch-interval.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

const FACTS = ["interval", "subscription", "notifications"] as const;

/**
 * Facts that nobody can change. They are the same for everyone, unless the monthly requests are spent or alert mails
 * are used.
 */
export function ServiceFacts({ isCompact = false }: { isCompact?: boolean }) {
  const t = useTexts("filter");
  const words = useWords("common");
  const interval = useWatchInterval();
  const isPromised = intervalKindOf(interval) === "promised";
  const shown = (fact: (typeof FACTS)[number]) =>
    fact === "interval" && !isPromised ? intervalLabel(interval, words) : t(`service.${fact}Value`);
  return (
    <section
      aria-labelledby="service"
      className={cn("grid border-t border-line", isCompact ? "gap-1.5 pt-4" : "gap-3 pt-5")}
    >
      <h3 id="service" className={isCompact ? "text-md" : "text-base"}>
        {t("service.title")}
      </h3>
      <dl
        className={cn(
          "grid gap-x-8 sm:grid-cols-3 sm:gap-y-3",
          isCompact ? "gap-y-0.5 text-sm" : "gap-y-1.5 text-md",
        )}
      >
        {FACTS.map((fact) => (
          <div key={fact} className="flex justify-between gap-4 sm:grid sm:justify-start sm:gap-0.5">
            <dt className="text-muted">{t(`service.${fact}`)}</dt>
            <dd className="font-semibold max-sm:text-right">{shown(fact)}</dd>
          </div>
        ))}
      </dl>
      {isPromised && <p className="text-sm text-muted">{t("service.note")}</p>}
    </section>
  );
}
