import { useSession } from "#web/lib/auth/session.ts";
import { useWatches } from "#web/lib/backend/watches.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

/** Said wherever there are too few homes for figures. They are computed after every check that found something. */
export function TooFewFigures() {
  const t = useTexts("finds");
  const userId = useSession().user?.id ?? "";
  const { data = [] } = useWatches(userId);
  const nextAt = nextCheckToday(
    data.map(({ next_check_at }) => next_check_at),
    new Date(),
  );
  const time = useClockTime(nextAt);
  return (
    <>
      {t("figures.few")} {nextAt === null ? t("figures.later") : t("figures.next", { time })}
    </>
  );
}

/** The earliest of these times that is still to come; null if there is none today. */
export function nextCheckToday(times: readonly (string | null)[], now: Date): Date | null {
  const [next] = times
    .flatMap((time) => (time === null ? [] : new Date(time)))
    .filter((time) => time > now && time.toDateString() === now.toDateString())
    .toSorted((one, other) => one.getTime() - other.getTime());
  return next ?? null;
}
