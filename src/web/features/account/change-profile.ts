import type { QueryClient } from "@tanstack/react-query";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { ColumnValues } from "#web/lib/changes/change.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";

interface ProfileChange {
  userId: string;
  title: string;
  before: ColumnValues;
  mine: ColumnValues;
}

export async function changeProfile(
  queries: QueryClient,
  { userId, ...fields }: ProfileChange,
): Promise<ColumnValues | "asked"> {
  const outcome = await saveOrAsk({ kind: "profile", userId, ofId: userId, ...fields });
  await queries.invalidateQueries({ queryKey: queryKeys.profile(userId) });
  return outcome;
}
