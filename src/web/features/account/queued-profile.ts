import type { QueryClient } from "@tanstack/react-query";
import type { Language } from "#core/languages.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { QueuedChange, QueuedKind } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";
import {
  changeAlertLanguage,
  changeAwayMails,
  changeName,
  fetchProfile,
  type Profile,
} from "./account-calls.ts";

interface ProfileFieldChange extends QueuedChange {
  readonly change: {
    readonly fullName?: string;
    readonly language?: Language;
    readonly hasAwayMails?: boolean;
  };
}

export const QUEUED_PROFILE_FIELDS: QueuedKind<ProfileFieldChange> = {
  kind: "profile",
  send: async ({ userId, change: { fullName, language, hasAwayMails } }) => {
    if (fullName !== undefined) await changeName(fullName);
    if (language !== undefined) await changeAlertLanguage(userId, language);
    if (hasAwayMails !== undefined) await changeAwayMails(userId, hasAwayMails);
  },
  fetchSaved: async ({ userId }) => {
    const { fullName, language } = await fetchProfile(userId);
    return { fullName, language };
  },
  onSettled: (queries, { userId }) => void queries.invalidateQueries({ queryKey: queryKeys.profile(userId) }),
};

/** Saves fields of the profile, or keeps them until the connection is back. */
export async function changeProfile(
  queries: QueryClient,
  userId: string,
  { fields, ...change }: ProfileFieldChange["change"] & Pick<QueuedChange, "fields">,
): Promise<{ isQueued: boolean }> {
  const queued = { userId, change, ...(fields && { fields }) };
  const outcome = await sendOrQueue(queries, QUEUED_PROFILE_FIELDS, queued);
  queries.setQueryData<Profile>(queryKeys.profile(userId), (known) => known && { ...known, ...change });
  return { isQueued: outcome === "queued" };
}
