import type { QueryClient } from "@tanstack/react-query";
import type { OwnPlace } from "#core/finds/find.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { type QueuedChange, type QueuedKind, sendOrQueue } from "#web/lib/offline/queue.ts";
import { addPlace, changePlace, fetchPlaces, type PlaceContent } from "../own-places.ts";

interface PlaceChange extends QueuedChange {
  /** Null for a new place. */
  readonly place: OwnPlace | null;
  readonly content: PlaceContent;
}

export const QUEUED_PLACE: QueuedKind<PlaceChange> = {
  kind: "place",
  send: async ({ userId, place, content }) => {
    // A place that was deleted elsewhere while it was edited here is added again.
    if (place && (await changePlace(place.id, changesTo(place, content)))) return;
    // The answer to an earlier attempt may have been lost.
    const isThere = (await fetchPlaces(userId)).some((one) => isSame(one, content));
    if (!isThere) await addPlace(content);
  },
  onSettled: (queries, { userId }) =>
    void queries.invalidateQueries({ queryKey: queryKeys.ownPlaces(userId) }),
};

/** Shows a place that waits for the connection. */
export async function savePlace(queries: QueryClient, change: PlaceChange): Promise<void> {
  if ((await sendOrQueue(queries, QUEUED_PLACE, change)) === "sent") return;
  const { userId, place, content } = change;
  const saved = { ...content, id: place?.id ?? crypto.randomUUID() };
  queries.setQueryData<OwnPlace[]>(queryKeys.ownPlaces(userId), (known = []) =>
    place ? known.map((one) => (one.id === place.id ? saved : one)) : [...known, saved],
  );
}

/** Only the changed fields, so that a change of another field on another device stays. */
function changesTo(place: OwnPlace, { name, latitude, longitude }: PlaceContent): Partial<PlaceContent> {
  const isMoved = latitude !== place.latitude || longitude !== place.longitude;
  return { ...(name === place.name && isMoved ? {} : { name }), ...(isMoved && { latitude, longitude }) };
}

function isSame(one: PlaceContent, other: PlaceContent): boolean {
  return one.name === other.name && one.latitude === other.latitude && one.longitude === other.longitude;
}
