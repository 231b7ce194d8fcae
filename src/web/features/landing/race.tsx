import { intervalKindOf } from "#text/watch-interval.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/**
 * The first ninety minutes of a listing, to scale on a wide screen. Not shown if searches are checked less often than
 * every ten minutes.
 */
export function Race() {
  const t = useTexts("landing");
  if (intervalKindOf(useWatchInterval()) !== "promised") return null;
  return (
    <section aria-labelledby="race" className="far-below border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-5 py-16 md:px-6 md:py-24">
        <h2 id="race" className="text-3xl md:text-5xl">
          {t("race.title")}
        </h2>
        <p className="mt-3 max-w-xl text-muted md:text-lg">{t("race.lead")}</p>
        <div className="relative mt-10 md:mt-14">
          <div
            aria-hidden
            className="absolute top-2 bottom-16 left-[0.4375rem] w-0.5 bg-[linear-gradient(to_bottom,var(--lantern)_45%,var(--line)_45%)] md:top-[0.4375rem] md:right-0 md:bottom-auto md:left-0 md:h-0.5 md:w-auto md:bg-[linear-gradient(to_right,var(--lantern)_24%,var(--line)_24%)]"
          />
          <ol className="relative grid gap-8 md:grid-cols-[24fr_52fr_24fr] md:gap-0">
            <Moment time={t("race.appear.time")} text={t("race.appear.text")} isLit />
            <Moment time={t("race.told.time")} text={t("race.told.text")} isLit />
            <Moment time={t("race.gone.time")} text={t("race.gone.text")} />
          </ol>
        </div>
      </div>
    </section>
  );
}

function Moment({ time, text, isLit = false }: { time: string; text: string; isLit?: boolean }) {
  return (
    <li className="relative pl-9 md:pt-9 md:pr-8 md:pl-0">
      <span
        aria-hidden
        className={cn(
          "absolute top-2 left-0 size-4 rounded-full border-3 md:top-0",
          isLit ? "border-lantern bg-lantern" : "border-strong-line bg-surface",
        )}
      />
      <p className="text-2xl font-bold tracking-tight md:text-4xl">{time}</p>
      <p className="mt-1 max-w-xs text-muted">{text}</p>
    </li>
  );
}
