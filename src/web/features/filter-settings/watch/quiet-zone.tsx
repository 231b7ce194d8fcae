import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { TIME_ZONES, type TimeZone, timeZoneOr } from "#core/geo/time-zone.ts";
import { zoneOfUrl } from "#core/search/url/zone-of-url.ts";
import { Select } from "#web/components/form/select.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

const NAMES = { "Europe/Madrid": "mainland", "Atlantic/Canary": "canary" } as const;

/** The zone of all quiet hours of the person: that of the search's place until another one is chosen. Saved at once. */
export function QuietZone({ userId, filterUrl }: { userId: string; filterUrl: string }) {
  const t = useTexts("filter");
  const queries = useQueryClient();
  const query = timeZoneQuery(userId);
  const saved = useQuery(query);
  const change = useMutation({
    mutationFn: (zone: TimeZone) => saveTimeZone(userId, zone),
    onSettled: () => queries.invalidateQueries(query),
  });
  if (saved.data === undefined) return null;
  const usual = zoneOfUrl(filterUrl);
  const chosen = change.status === "pending" ? change.variables : timeZoneOr(saved.data, usual);
  return (
    <div className="grid gap-1.5">
      <Select
        label={t("quiet.zone")}
        value={chosen}
        onValue={(value) => change.mutate(timeZoneOr(value, usual))}
      >
        {TIME_ZONES.map((zone) => (
          <option key={zone} value={zone}>
            {t(`quiet.zones.${NAMES[zone]}`)}
          </option>
        ))}
      </Select>
      {change.error !== null && (
        <p role="alert" className="text-sm text-tile">
          {t("quiet.failure.title")}
        </p>
      )}
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

async function saveTimeZone(userId: string, zone: TimeZone): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(await supabase.from("profiles").update({ time_zone: zone }).eq("id", userId).select("id").single());
}
