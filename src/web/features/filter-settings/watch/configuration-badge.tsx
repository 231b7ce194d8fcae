import { healthOf } from "#core/health/health-of.ts";
import { HealthLine } from "#web/components/health-line.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useWatch } from "#web/lib/backend/watches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

interface ConfigurationBadgeProps {
  userId: string;
  search: SavedSearch | null;
}

/** That a search is saved, which says nothing of how it fares: that stands beside it. */
export function ConfigurationBadge({ userId, search }: ConfigurationBadgeProps) {
  const t = useTexts("filter");
  const { data: watch } = useWatch(userId, search);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {watch && search && <HealthLine health={healthOf({ ...watch, is_paused: search.isPaused })} />}
      <p className="rounded-full border border-strong-line px-3 py-1 text-sm font-semibold text-muted">
        {t("edit.badge")}
      </p>
    </div>
  );
}
