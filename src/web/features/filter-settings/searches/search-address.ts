import { NEW_SEARCH } from "../form/search-form.ts";

export const LIST_ADDRESS = "/filter-settings";

export function searchAddress(searchId: string): string {
  return `${LIST_ADDRESS}?search=${encodeURIComponent(searchId)}`;
}

export function newSearchAddress(likeId?: string): string {
  const like = likeId === undefined ? "" : `&like=${encodeURIComponent(likeId)}`;
  return searchAddress(NEW_SEARCH) + like;
}
