/** What the listing bubble shows of a row's `details`; absent where the details do not say. */
export interface ListingFacts {
  title?: string;
  /** A number to be formatted for the reader, or the words the row came with. */
  price?: number | string;
  size?: number | string;
  location?: string;
  rooms?: number;
  url?: string;
}

/** Reads `details` written by anyone: nothing in it is trusted to be there, to be of its kind or to be safe. */
export function parseDetails(details: unknown): ListingFacts {
  if (typeof details !== "object" || details === null) return {};
  const fields = details as Record<string, unknown>;
  return withoutAbsent({
    title: textOf(fields.title),
    price: amountOf(fields.price),
    size: amountOf(fields.size),
    location: textOf(fields.location) ?? textOf(fields.address),
    rooms: countOf(fields.rooms) ?? countOf(fields.bedrooms),
    url: webAddressOf(fields.url) ?? webAddressOf(fields.link) ?? webAddressOf(fields.href),
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

/** "1.449 €/mes", "€1,449", "27 m²" and 1449 are amounts; "A consultar" stays the words it is. */
function amountOf(value: unknown): number | string | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value > 0 ? value : undefined;
  const text = textOf(value);
  if (text === undefined) return undefined;
  const digits =
    /^\D{0,4}(\d{1,3}(?:[.,\s’']\d{3})+|\d+)(?:[.,]\d{1,2})?\s*(?:€|eur|m²|m2)?(?:\s*\/\s*\p{L}+)?$/iu.exec(
      text,
    )?.[1];
  return digits === undefined ? text : Number(digits.replaceAll(/\D/g, ""));
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === "string" && value.trim() !== "" ? Number.parseInt(value, 10) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** Only the web: a `javascript:` address must never become a link. */
function webAddressOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
}

function withoutAbsent<T extends object>(facts: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T;
}
