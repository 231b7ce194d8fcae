import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { TIME_ZONES, type TimeZone, timeZoneOr } from "#core/geo/time-zone.ts";
import { zoneOfUrl } from "#core/search/url/zone-of-url.ts";
import { Select } from "#web/components/form/select.tsx";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

const NAMES = { "Europe/Madrid": "mainland", "Atlantic/Canary": "canary" } as const;

/** The zone of all quiet hours of the person: that of the search's place until another one is chosen. Saved at once. */
export function QuietZone({ userId, filterUrl }: { userId: string; filterUrl: string }) {
  const t = useTexts("filter");
  const queries = useQueryClient();
  const query = timeZoneQuery(userId);
  const saved = useQuery(query);
  const change = useAction({
    run: async (zone: TimeZone) => {
      const title = t("quiet.zone");
      const before = { time_zone: saved.data ?? null };
      await saveOrAsk({ kind: "profile", userId, ofId: userId, title, before, mine: { time_zone: zone } });
      await queries.invalidateQueries(query);
    },
    failure: t("quiet.failure", { returnObjects: true }),
  });
  if (saved.data === undefined) return null;
  const usual = zoneOfUrl(filterUrl);
  const chosen = change.pendingInput ?? timeZoneOr(saved.data, usual);
  return (
    <div className="grid gap-1.5">
      <Select
        label={t("quiet.zone")}
        value={chosen}
        onValue={(value) => change.run(timeZoneOr(value, usual))}
      >
        {TIME_ZONES.map((zone) => (
          <option key={zone} value={zone}>
            {t(`quiet.zones.${NAMES[zone]}`)}
          </option>
        ))}
      </Select>
      <FormFailure failure={change.failure} />
    </div>
  );
}

function timeZoneQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.timeZone(userId), queryFn: () => fetchTimeZone(userId) });
}

/** Null until one is chosen. */
async function fetchTimeZone(userId: string): Promise<string | null> {
  const supabase = await loadSupabase();
  return dataOf(await supabase.from("profiles").select("time_zone").eq("id", userId).single()).time_zone;
}
