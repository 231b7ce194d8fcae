import { QUEUED_PROFILE_FIELDS } from "#web/features/account/queued-profile.ts";
import { QUEUED_RECEIVES } from "#web/features/filter-settings/chats/queued-receives.ts";
import { QUEUED_FILTER } from "#web/features/filter-settings/form/queued-filter.ts";
import { QUEUED_PAUSE_OF_ALL, QUEUED_SEARCH } from "#web/features/filter-settings/searches/queued-search.ts";
import { QUEUED_FIND_CHANGES } from "#web/features/finds/queued-finds.ts";
import { QUEUED_PLACE, QUEUED_PLACE_DELETION } from "#web/features/finds/settings/queued-places.ts";
import { QUEUED_SETTINGS } from "#web/features/finds/settings/queued-settings.ts";
import type { QueuedChange, QueuedKind } from "#web/lib/offline/queue.ts";

/** Every kind of change that may wait for the connection, so that one of an earlier visit can be sent. */
export const QUEUED_KINDS = [
  ...QUEUED_FIND_CHANGES,
  ...QUEUED_SETTINGS,
  QUEUED_PLACE,
  QUEUED_PLACE_DELETION,
  QUEUED_FILTER,
  QUEUED_RECEIVES,
  QUEUED_SEARCH,
  QUEUED_PAUSE_OF_ALL,
  QUEUED_PROFILE_FIELDS,
] as unknown as readonly QueuedKind<QueuedChange>[];
