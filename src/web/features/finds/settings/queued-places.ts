import type { QueryClient } from "@tanstack/react-query";
import type { OwnPlace } from "#core/finds/find.ts";
import {
  addPlace,
  changePlace,
  deletePlace,
  fetchPlaces,
  type PlaceContent,
} from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { FieldValues, QueuedChange, QueuedKind } from "#web/lib/offline/queue.ts";
import { sendOrQueue } from "#web/lib/offline/send-or-queue.ts";

/** Of a degree of a shown position: about a metre. */
const DIGITS = 5;

interface PlaceChange extends QueuedChange {
  /** Null for a new place. */
  readonly place: OwnPlace | null;
  readonly content: PlaceContent;
}

const fetchSaved = async ({ userId, place }: Pick<PlaceChange, "userId" | "place">) => {
  const known = place && findPlace(await fetchPlaces(userId), place);
  return known ? textsOf(known) : undefined;
};

export const QUEUED_PLACE: QueuedKind<PlaceChange> = {
  kind: "place",
  send: async ({ userId, place, content }) => {
    const saved = await fetchPlaces(userId);
    const known = place && findPlace(saved, place);
    // A place that was deleted elsewhere while it was edited here is added again.
    if (place && known && (await changePlace(known.id, changesTo(place, content)))) return;
    // The answer to an earlier attempt may have been lost.
    if (!saved.some((one) => isSame(one, content))) await addPlace(content);
  },
  fetchSaved,
  onSettled: reload,
};

interface PlaceDeletion extends QueuedChange {
  readonly place: OwnPlace;
}

export const QUEUED_PLACE_DELETION: QueuedKind<PlaceDeletion> = {
  kind: "place-deletion",
  send: async ({ userId, place }) => {
    const known = findPlace(await fetchPlaces(userId), place);
    if (known) await deletePlace(known.id);
  },
  fetchSaved,
  onSettled: reload,
};

/** Shows a place that waits for the connection. */
export async function savePlace(queries: QueryClient, change: PlaceChange): Promise<void> {
  const { userId, place, content } = change;
  const fields = place && {
    ...fieldsOf(place),
    mine: textsOf({ ...place, ...content }, changesTo(place, content)),
  };
  const outcome = await sendOrQueue(queries, QUEUED_PLACE, { ...change, ...(fields && { fields }) });
  if (outcome === "sent") return;
  const saved = { ...content, id: place?.id ?? crypto.randomUUID() };
  queries.setQueryData<OwnPlace[]>(queryKeys.ownPlaces(userId), (known = []) =>
    place ? known.map((one) => (one.id === place.id ? saved : one)) : [...known, saved],
  );
}

export async function removePlace(queries: QueryClient, userId: string, place: OwnPlace): Promise<void> {
  const fields = { ...fieldsOf(place), mine: { name: null, position: null } };
  await sendOrQueue(queries, QUEUED_PLACE_DELETION, { userId, place, fields });
  queries.setQueryData<OwnPlace[]>(queryKeys.ownPlaces(userId), (known = []) =>
    known.filter(({ id }) => id !== place.id),
  );
}

function fieldsOf(place: OwnPlace) {
  return { ofId: place.id, title: place.name, before: textsOf(place) };
}

function textsOf(
  { name, latitude, longitude }: PlaceContent,
  written: Partial<PlaceContent> = { name, latitude },
): FieldValues {
  const position = `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`;
  return { ...(written.name !== undefined && { name }), ...(written.latitude !== undefined && { position }) };
}

function reload(queries: QueryClient, { userId }: QueuedChange): void {
  void queries.invalidateQueries({ queryKey: queryKeys.ownPlaces(userId) });
}

/** A place that was added without a connection gets its id from the server only when it is sent. */
function findPlace(saved: readonly OwnPlace[], place: OwnPlace): OwnPlace | undefined {
  return saved.find(({ id }) => id === place.id) ?? saved.find((one) => isSame(one, place));
}

/** Only the changed fields, so that a change of another field on another device stays. */
function changesTo(place: OwnPlace, { name, latitude, longitude }: PlaceContent): Partial<PlaceContent> {
  const isMoved = latitude !== place.latitude || longitude !== place.longitude;
  return { ...(name === place.name && isMoved ? {} : { name }), ...(isMoved && { latitude, longitude }) };
}

function isSame(one: PlaceContent, other: PlaceContent): boolean {
  return one.name === other.name && one.latitude === other.latitude && one.longitude === other.longitude;
}
