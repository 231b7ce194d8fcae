import { type ListingFacts, parseDetails } from "./parse-details.ts";

export interface DemoListing extends ListingFacts {
  id: string;
  emoji: Emoji;
  foundAt: Date;
}

export const EMOJIS = ["🏠", "🏢", "🚪", "🛋️", "🔑"] as const;
export type Emoji = (typeof EMOJIS)[number];

export interface ListingRow {
  id: string;
  created_at: string;
  details: unknown;
}

const emojiOf = new Map<string, Emoji>();

/** A listing keeps the picture it was first shown with, however often the list is loaded again. */
export function demoListingOf(row: ListingRow, now: Date): DemoListing {
  const emoji = emojiOf.get(row.id) ?? EMOJIS[Math.floor(Math.random() * EMOJIS.length)] ?? EMOJIS[0];
  emojiOf.set(row.id, emoji);
  const createdAt = new Date(row.created_at);
  const foundAt = Number.isNaN(createdAt.getTime()) ? now : createdAt;
  return { id: row.id, emoji, foundAt, ...parseDetails(row.details) };
}
