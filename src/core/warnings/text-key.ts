import type { Listing } from "../listing/listing.ts";
import { foldText } from "./fold-text.ts";

type Described = Pick<Listing, "description" | "municipality" | "district" | "neighborhood">;

/** Shorter texts are equal by chance. */
const FEWEST_LETTERS = 120;

/** Equal for the same description under other codes, prices and place names; null if the text is too short. */
export function textKeyOf(listing: Described): string | null {
  if (listing.description === null) return null;
  const names = [listing.municipality, listing.district, listing.neighborhood]
    .flatMap((name) => (name === null ? [] : lettersOf(name)))
    .filter((name) => name.length > 2);
  let text = ` ${lettersOf(listing.description)} `;
  // A copied text usually has another town filled in.
  for (const name of names) text = text.replaceAll(` ${name} `, " ");
  return text.replaceAll(" ", "").length < FEWEST_LETTERS ? null : fingerprintOf(text.trim());
}

function lettersOf(text: string): string {
  return foldText(text)
    .folded.replace(/[^\p{L}]+/gu, " ")
    .trim();
}

/** Two 32-bit hashes (FNV-1a with two seeds): no collision is expected among a million texts. */
function fingerprintOf(text: string): string {
  return [0x811c9dc5, 0x01000193].map((start) => hashOf(text, start).toString(16).padStart(8, "0")).join("");
}

function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
