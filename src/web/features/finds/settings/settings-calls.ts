import type { SignKind } from "#core/finds/signs.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

/** What a person tells an advertiser of themselves; empty where nothing was written. */
export interface MessageProfile {
  readonly who: string;
  readonly job: string;
  readonly movingFrom: string;
  readonly about: string;
}

export interface FindSettings {
  readonly signsOff: readonly SignKind[];
  readonly signsLeftOut: readonly SignKind[];
  readonly profile: MessageProfile;
  /** Null until something was saved. */
  readonly updatedAt: string | null;
}

/** The list of finds holds a part of it, under what both begin with. */
export const settingsKey = (userId: string) => ["find-settings", userId, "whole"] as const;

const COLUMNS = "signs_off, signs_left_out, who, job, moving_from, about, updated_at";

export async function fetchFindSettings(userId: string): Promise<FindSettings> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase.from("find_settings").select(COLUMNS).eq("user_id", userId).retry(false).maybeSingle(),
  );
  return settingsOf(row);
}

type Change = Partial<Pick<FindSettings, "signsOff" | "signsLeftOut"> & MessageProfile>;

const MOST_ATTEMPTS = 5;

/**
 * Writes what a change makes of the settings as they are now. Another device may write between the reading and the
 * writing: then nothing is written, and the change is made again of what that device left.
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
  throw new Error("The settings are being changed elsewhere all the time");
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

function rowOf({ signsOff, signsLeftOut, who, job, movingFrom, about }: Change) {
  return {
    ...(signsOff && { signs_off: [...signsOff] }),
    ...(signsLeftOut && { signs_left_out: [...signsLeftOut] }),
    ...(who !== undefined && { who: who || null }),
    ...(job !== undefined && { job: job || null }),
    ...(movingFrom !== undefined && { moving_from: movingFrom || null }),
    ...(about !== undefined && { about: about || null }),
  };
}

interface SettingsRow {
  signs_off: string[];
  signs_left_out: string[];
  who: string | null;
  job: string | null;
  moving_from: string | null;
  about: string | null;
  updated_at: string;
}

function settingsOf(row: SettingsRow | null): FindSettings {
  return {
    signsOff: (row?.signs_off ?? []) as SignKind[],
    signsLeftOut: (row?.signs_left_out ?? []) as SignKind[],
    profile: {
      who: row?.who ?? "",
      job: row?.job ?? "",
      movingFrom: row?.moving_from ?? "",
      about: row?.about ?? "",
    },
    updatedAt: row?.updated_at ?? null,
  };
}
