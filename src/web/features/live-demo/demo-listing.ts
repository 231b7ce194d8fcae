import { type ListingFacts, parseDetails } from "./parse-details.ts";

export interface DemoListing extends ListingFacts {
  id: string;
  emoji: Emoji;
  /** Milliseconds since 1970. */
  foundAt: number;
}

export const EMOJIS = ["🏠", "🏢", "🚪", "🛋️", "🔑"] as const;
export type Emoji = (typeof EMOJIS)[number];

const emojiOf = new Map<string, Emoji>();

/** A listing keeps the picture it was first shown with, however often the list is loaded again. */
export function demoListingOf(row: { id: string; created_at: string; details: unknown }): DemoListing {
  const emoji = emojiOf.get(row.id) ?? EMOJIS[Math.floor(Math.random() * EMOJIS.length)] ?? EMOJIS[0];
  emojiOf.set(row.id, emoji);
  const foundAt = Date.parse(row.created_at);
  return {
    id: row.id,
    emoji,
    foundAt: Number.isNaN(foundAt) ? Date.now() : foundAt,
    ...parseDetails(row.details),
  };
}
