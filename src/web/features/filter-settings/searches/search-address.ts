import { NEW_SEARCH } from "../form/draft-storage.ts";

export const LIST_ADDRESS = "/filter-settings";

export function searchAddress(searchId: string): string {
  return `${LIST_ADDRESS}?search=${encodeURIComponent(searchId)}`;
}

/** Where one more is made; like another, if one is named. */
export function newSearchAddress(likeId?: string): string {
  const like = likeId === undefined ? "" : `&like=${encodeURIComponent(likeId)}`;
  return searchAddress(NEW_SEARCH) + like;
}
