import { advertUrlIn } from "#core/listing/advert-url.ts";
import { homeLine } from "#text/home-words.ts";
import { formatPrice, timeLabel } from "#text/labels.ts";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import type { LatestAlert, Watch } from "#web/lib/backend/typed-database.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

const CLOCK_MS = 30_000;

export function LatestAlerts({ watch }: { watch: Watch | null | undefined }) {
  const t = useTexts("filter");
  const alerts = watch?.latest_alerts ?? [];
  return (
    <section aria-labelledby="latest-alerts" className="grid gap-2">
      <h3 id="latest-alerts" className="text-md">
        {t("watch.latest")}
      </h3>
      {alerts.length === 0 ? (
        <p className="text-md text-muted">{t("watch.noAlerts")}</p>
      ) : (
        <ul className="-mb-2 divide-y divide-line">
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AlertRow({ alert }: { alert: LatestAlert }) {
  const t = useTexts("filter");
  const common = useWords("common");
  const words = useWords("home");
  const now = useNow(CLOCK_MS);
  const title = alert.home
    ? homeLine(alert.home, words)
    : t("watch.untitled", { id: alert.listing_id ?? "" });
  const facts = [
    words.t(`alerts.${alert.former_listing_id === null ? alert.kind : "readvertised"}.label`),
    alert.price_eur === null ? null : formatPrice(alert.price_eur, words.language),
    t(`watch.alertStates.${alert.state}`),
    timeLabel(new Date(alert.created_at), now, common),
  ];
  return (
    <li className="grid gap-0.5 py-2.5">
      <p className="leading-snug font-semibold wrap-anywhere">
        {isWebAddress(alert.url) ? (
          <OutsideLink href={advertUrlIn(alert.url, words.language)} className="inline-block py-0.5">
            {title}
          </OutsideLink>
        ) : (
          title
        )}
      </p>
      <p className="figures text-sm text-muted">{facts.filter((fact) => fact !== null).join("\u00a0· ")}</p>
    </li>
  );
}

function isWebAddress(url: string | null): url is string {
  return url?.startsWith("https://") ?? false;
}
