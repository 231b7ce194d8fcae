import type { QueryClient } from "@tanstack/react-query";
import type { WarningKind } from "#core/warnings/warning.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { pendingChanges, QueueConflict, type QueuedChange, type QueuedKind } from "#web/lib/offline/queue.ts";
import { changeSettings, type FindSettings } from "../find-settings.ts";
import { changedAnswers, followSaved, type ProfileForm } from "./profile-form.ts";

/** Whether warnings are shown. Whether such homes are alerted is decided by the rules of a search. */
export interface WarningChoice {
  readonly kinds: readonly WarningKind[];
  readonly areShown: boolean;
}

export interface WarningChange extends QueuedChange, WarningChoice {}
export type WarningSettings = Pick<FindSettings, "hiddenWarnings">;

export function withChoice(
  { hiddenWarnings }: WarningSettings,
  { kinds, areShown }: WarningChoice,
): WarningSettings {
  const others = hiddenWarnings.filter((kind) => !kinds.includes(kind));
  return { hiddenWarnings: areShown ? others : [...others, ...kinds] };
}

export interface ProfileChange extends QueuedChange {
  readonly form: ProfileForm;
}

/** Applied to the settings as they are then, so that a choice about another warning stays. */
export const QUEUED_WARNING: QueuedKind<WarningChange> = {
  kind: "warning",
  send: async ({ userId, kinds, areShown }, queries) => {
    const saved = await changeSettings(userId, (settings) => withChoice(settings, { kinds, areShown }));
    await showSaved(queries, userId, saved);
  },
  onSettled: reload,
};

/** The form asks about an answer that was saved elsewhere meanwhile. */
export const QUEUED_PROFILE: QueuedKind<ProfileChange> = {
  kind: "message",
  send: async ({ userId, form, isLate = false }, queries) => {
    let hasConflict = false;
    const saved = await changeSettings(userId, ({ profile }) => {
      const followed = followSaved(form, profile);
      hasConflict = Object.keys(followed.elsewhere).length > 0;
      return hasConflict ? {} : changedAnswers(followed);
    });
    await showSaved(queries, userId, saved);
    if (hasConflict && isLate) throw new QueueConflict("The message was changed elsewhere");
  },
  onSettled: (queries, change, error) => {
    const kept = error instanceof QueueConflict ? change.form : null;
    queries.setQueryData<ProfileForm | null>(queryKeys.messageConflict(change.userId), kept);
    reload(queries, change);
  },
};

/** What the person typed without a connection and is not saved yet. */
export function unsavedForm(queries: QueryClient, userId: string): ProfileForm | undefined {
  const waiting = pendingChanges<ProfileChange>(queries, QUEUED_PROFILE.kind).at(-1);
  return (
    waiting?.form ?? queries.getQueryData<ProfileForm | null>(queryKeys.messageConflict(userId)) ?? undefined
  );
}

export const QUEUED_SETTINGS = [QUEUED_WARNING, QUEUED_PROFILE] as const;

async function showSaved(queries: QueryClient, userId: string, saved: FindSettings): Promise<void> {
  const queryKey = queryKeys.findSettings(userId);
  // An answer requested before the save is older than it.
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<FindSettings>(queryKey, saved);
}

function reload(queries: QueryClient, { userId }: QueuedChange): void {
  void queries.invalidateQueries({ queryKey: queryKeys.findSettings(userId) });
}
