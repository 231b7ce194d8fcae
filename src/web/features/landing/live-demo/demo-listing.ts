import { amountIn } from "#core/listing/amount.ts";

/** What the bubble shows of a row's `details`; fields are missing if the details lack them. */
interface ShownDetails {
  title?: string | undefined;
  /** The type and the address that our watcher wrote, for a title in the visitor's language. */
  type?: string | undefined;
  address?: string | undefined;
  /** A number to format, or the text of the row. */
  price?: number | string | undefined;
  size?: number | string | undefined;
  location?: string | undefined;
  rooms?: number | undefined;
  url?: string | undefined;
}

export interface ShownListing extends ShownDetails {
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

/** A listing keeps its first picture when the list is reloaded. */
export function shownListingOf(row: ListingRow, now: Date): ShownListing {
  const emoji = emojiOf.get(row.id) ?? EMOJIS[Math.floor(Math.random() * EMOJIS.length)] ?? EMOJIS[0];
  emojiOf.set(row.id, emoji);
  const createdAt = new Date(row.created_at);
  const foundAt = Number.isNaN(createdAt.getTime()) ? now : createdAt;
  return { id: row.id, emoji, foundAt, ...parseDetails(row.details) };
}

/** As the watcher writes them, and with the other names and forms of DEMO-07. */
export function parseDetails(details: unknown): ShownDetails {
  const { title, price, size, location, address, rooms, bedrooms, url, link, href, type } = (details ??
    {}) as Record<string, unknown>;
  return {
    title: textOf(title),
    type: textOf(type),
    address: textOf(address),
    price: amountIn(price) ?? textOf(price),
    size: amountIn(size) ?? textOf(size),
    location: textOf(location) ?? textOf(address),
    rooms: countOf(rooms) ?? countOf(bedrooms),
    url: [url, link, href].map(textOf).find(isWebAddress),
  };
}

function textOf(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim()) || undefined;
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === "number" ? value : Number(textOf(value) ?? Number.NaN);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** Web addresses only: a `javascript:` address must never become a link. */
function isWebAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text);
}

const MINUTE_MS = 60_000;

const SAMPLES = [
  { id: "studio", emoji: "🛋️", price: 850, size: 16, rooms: 0, minutesAgo: 0 },
  { id: "flat", emoji: "🏢", price: 3000, size: 105, rooms: 3, minutesAgo: 10 },
  { id: "small", emoji: "🔑", price: 1449, size: 27, rooms: 1, minutesAgo: 30 },
] as const;

type SampleTexts = Record<(typeof SAMPLES)[number]["id"], { title: string; location: string }>;

/** Three listings in Madrid, for when there are no real ones. */
export function sampleListings(texts: SampleTexts, now: Date): ShownListing[] {
  return SAMPLES.map(({ minutesAgo, ...sample }) => ({
    ...sample,
    ...texts[sample.id],
    foundAt: new Date(now.getTime() - minutesAgo * MINUTE_MS),
  }));
}
