import { useQuery } from "@tanstack/react-query";
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
  /** Null until something is saved. */
  readonly updatedAt: string | null;
}

const COLUMNS = "hidden_warnings, who, job, moving_from, about, updated_at";

export function useFindSettings(userId: string) {
  return useQuery({
    queryKey: queryKeys.findSettings(userId),
    queryFn: () => fetchFindSettings(userId),
    retry: 1,
  });
}

export async function fetchFindSettings(userId: string): Promise<FindSettings> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase.from("find_settings").select(COLUMNS).eq("user_id", userId).retry(false).maybeSingle(),
  );
  return settingsOf(row);
}

type Change = Partial<Pick<FindSettings, "hiddenWarnings"> & ProfileAnswers>;

const MOST_ATTEMPTS = 5;

/**
 * Applies a change to the settings as they are in the database now. If another device writes between our read and our write,
 * nothing is written, and the change is applied to the newer settings.
 */
export async function changeSettings(
  userId: string,
  changeOf: (saved: FindSettings) => Change,
): Promise<FindSettings> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const saved = await fetchFindSettings(userId);
    const change = changeOf(saved);
    if (Object.keys(change).length === 0) return saved;
    const changed = await write(userId, saved.updatedAt, change);
    if (changed) return changed;
  }
  throw new Error("The settings keep changing on another device");
}

async function write(
  userId: string,
  updatedAt: string | null,
  change: Change,
): Promise<FindSettings | undefined> {
  const supabase = await loadSupabase();
  const table = supabase.from("find_settings");
  const row = rowOf(change);
  const query =
    updatedAt === null
      ? table.upsert({ user_id: userId, ...row }, { onConflict: "user_id", ignoreDuplicates: true })
      : table.update(row).eq("user_id", userId).eq("updated_at", updatedAt);
  const [written] = dataOf(await query.select(COLUMNS));
  return written && settingsOf(written);
}

function rowOf({ hiddenWarnings, who, job, movingFrom, about }: Change) {
  return {
    ...(hiddenWarnings && { hidden_warnings: [...hiddenWarnings] }),
    ...(who !== undefined && { who: who || null }),
    ...(job !== undefined && { job: job || null }),
    ...(movingFrom !== undefined && { moving_from: movingFrom || null }),
    ...(about !== undefined && { about: about || null }),
  };
}

function settingsOf(row: Omit<Tables<"find_settings">, "user_id"> | null): FindSettings {
  return {
    hiddenWarnings: row?.hidden_warnings ?? [],
    profile: {
      who: row?.who ?? "",
      job: row?.job ?? "",
      movingFrom: row?.moving_from ?? "",
      about: row?.about ?? "",
    },
    updatedAt: row?.updated_at ?? null,
  };
}
