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

const MINUTE_MS = 60_000;

const SAMPLES = [
  { id: "studio", emoji: "🛋️", price: 850, size: 16, rooms: 0, minutesAgo: 0 },
  { id: "flat", emoji: "🏢", price: 3000, size: 105, rooms: 3, minutesAgo: 10 },
  { id: "small", emoji: "🔑", price: 1449, size: 27, rooms: 1, minutesAgo: 30 },
] as const;

type SampleTexts = Record<(typeof SAMPLES)[number]["id"], { title: string; location: string }>;

/** Three Madrid listings, for when there are no real ones to show. */
export function sampleListings(texts: SampleTexts, now: Date): DemoListing[] {
  return SAMPLES.map(({ minutesAgo, ...sample }) => ({
    ...sample,
    ...texts[sample.id],
    foundAt: new Date(now.getTime() - minutesAgo * MINUTE_MS),
  }));
}
