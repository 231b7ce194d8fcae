import type { DemoListing } from "./demo-listing.ts";

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
