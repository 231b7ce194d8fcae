import { z } from "zod";
import type { Listing } from "#core/listing/listing.ts";
import { type Rejection, SourceError } from "#core/ports/source.ts";
import type { Kind } from "#core/search/search.ts";
import { errorFromResponse } from "./error-from-response.ts";
import type { HttpAnswer } from "./http-exchange.ts";
import { readWireListing } from "./wire-listing.ts";

/** Parses the envelope of an answer. Throws a SourceError for an error status or an unexpected shape. */
export function readEnvelope<T extends z.ZodType>(
  source: string,
  answer: HttpAnswer,
  envelope: T,
  now: number,
): z.output<T> {
  if (answer.status !== 200) throw errorFromResponse(source, answer, now);
  const parsed = envelope.safeParse(parseJson(source, answer.text));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new SourceError(source, "not-understood", { detail: `unexpected shape at "${field}"` });
  }
  return parsed.data;
}

/** Parses the elements one by one. The answer as a whole is invalid only if none can be parsed. */
export function readElements(
  source: string,
  elements: readonly unknown[],
  kind: Kind,
): { listings: Listing[]; rejected: Rejection[] } {
  const listings: Listing[] = [];
  const rejected: Rejection[] = [];
  for (const element of elements) {
    const read = readWireListing(element, kind);
    if (read.ok) {
      listings.push(read.listing);
    } else {
      rejected.push(read.rejection);
    }
  }
  const [first] = rejected;
  if (first !== undefined && listings.length === 0) {
    const detail = `none of ${elements.length} elements can be parsed, "${first.field}": ${first.problem}`;
    throw new SourceError(source, "not-understood", { detail });
  }
  return { listings, rejected };
}

function parseJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message contains parts of the answer.
    throw new SourceError(source, "not-understood", { detail: "not JSON" });
  }
}

export const elementsSchema = z.array(z.unknown()).max(500);
export const totalSchema = z.int().min(0);
