import { queryOptions, useQuery } from "@tanstack/react-query";
import type { WarningKind } from "#core/warnings/warning.ts";
import type { MessageProfile } from "#text/advertiser-message.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { Tables } from "#web/lib/backend/typed-database.ts";

/** What a person tells advertisers about themselves; "" where nothing was written. */
export type ProfileAnswers = { readonly [Part in keyof MessageProfile]: string };

export interface FindSettings {
  readonly hiddenWarnings: readonly WarningKind[];
  readonly profile: ProfileAnswers;
}

const COLUMNS = "hidden_warnings, who, job, moving_from, about";

export function findSettingsQuery(userId: string) {
  return queryOptions({
    queryKey: queryKeys.findSettings(userId),
    queryFn: () => fetchFindSettings(userId),
  });
}

export function useFindSettings(userId: string) {
  return useQuery(findSettingsQuery(userId));
}

async function fetchFindSettings(userId: string): Promise<FindSettings> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase.from("find_settings").select(COLUMNS).eq("user_id", userId).retry(false).maybeSingle(),
  );
  return settingsOf(row);
}

function settingsOf(row: Omit<Tables<"find_settings">, "user_id" | "updated_at"> | null): FindSettings {
  return {
    hiddenWarnings: row?.hidden_warnings ?? [],
    profile: {
      who: row?.who ?? "",
      job: row?.job ?? "",
      movingFrom: row?.moving_from ?? "",
      about: row?.about ?? "",
    },
  };
}
