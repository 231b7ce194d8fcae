import type { Commands, Presses } from "../conversation/subject.ts";
import { pressPlace } from "./own-places.ts";
import { pressMessage } from "./send-message.ts";
import { pressPhotos } from "./send-photos.ts";
import { sortListing } from "./sort-listing.ts";
import { note } from "./write-note.ts";

export const FINDS_COMMANDS = { note: { run: note, isForAdministrators: true } } as const satisfies Commands;

export const FINDS_PRESSES = {
  hide: {
    run: (conversation, ctx, { propertyCode }) =>
      sortListing(conversation, ctx, { propertyCode, mark: "hidden" }),
    isForMembers: true,
  },
  keep: {
    run: (conversation, ctx, { propertyCode }) =>
      sortListing(conversation, ctx, { propertyCode, mark: "kept" }),
    isForMembers: true,
  },
  undo: {
    run: (conversation, ctx, { propertyCode }) =>
      sortListing(conversation, ctx, { propertyCode, mark: null }),
    isForMembers: true,
  },
  message: {
    run: (conversation, _, { propertyCode }) => pressMessage(conversation, propertyCode),
    isForMembers: true,
  },
  photos: {
    run: (conversation, _, { propertyCode }) => pressPhotos(conversation, propertyCode),
    isForMembers: true,
  },
  "place-work": { run: pressPlace },
  "place-home": { run: pressPlace },
  "place-other": { run: pressPlace },
  "move-place": { run: pressPlace },
} as const satisfies Presses;
