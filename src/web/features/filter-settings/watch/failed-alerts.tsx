import { queryOptions, useQuery } from "@tanstack/react-query";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { homeLine } from "#text/home-words.ts";
import { timeLabel } from "#text/labels.ts";
import { every } from "#web/lib/backend/polling.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { FailedAlert } from "#web/lib/backend/typed-database.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

const RELOAD_MS = 5 * 60_000;
const SHOWN = 5;

function failedAlertsQuery(userId: string) {
  return queryOptions({
    queryKey: queryKeys.failedAlerts(userId),
    queryFn: async (): Promise<FailedAlert[]> => dataOf(await (await loadSupabase()).rpc("my_failed_alerts")),
    refetchInterval: every(RELOAD_MS),
  });
}

/** The alerts that no chat got, with the reason. Nothing if all were delivered. */
export function FailedAlerts({ userId }: { userId: string }) {
  const t = useTexts("filter");
  const failed = useQuery({ ...failedAlertsQuery(userId), enabled: userId !== "" });
  const alerts = failed.data ?? [];
  if (alerts.length === 0) return null;
  return (
    <section aria-labelledby="failed-alerts" className="grid gap-2 rounded-xl border border-line p-4">
      <h2 id="failed-alerts" className="text-md font-semibold">
        {t("failed.title", { count: alerts.length })}
      </h2>
      <ul className="grid gap-2">
        {alerts.slice(0, SHOWN).map((alert) => (
          <FailedRow key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function FailedRow({ alert }: { alert: FailedAlert }) {
  const t = useTexts("filter");
  const common = useWords("common");
  const words = useWords("home");
  const title = alert.home ? homeLine(alert.home, words) : t("failed.message");
  const facts = [
    t(`failed.reasons.${alert.reason}`),
    timeLabel(new Date(alert.failed_at), new Date(), common),
  ];
  return (
    <li className="grid gap-0.5">
      <p className="leading-snug wrap-anywhere">
        {alert.url?.startsWith("https://") ? (
          <a
            href={advertUrlIn(alert.url, words.language)}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-block py-0.5 underline decoration-ink/35 underline-offset-4 hover:decoration-ink"
          >
            {title}
          </a>
        ) : (
          title
        )}
      </p>
      <p className="text-sm text-muted">{facts.join("\u00a0· ")}</p>
    </li>
  );
}
