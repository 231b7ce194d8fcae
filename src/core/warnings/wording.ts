import type { Listing, Wording } from "../listing/listing.ts";
import { foldText } from "./fold-text.ts";
import { textKeyOf } from "./text-key.ts";
import type { Warning } from "./warning.ts";
import { WORD_RULES } from "./word-rules.ts";
import { wordsSeen } from "./words-seen.ts";

/** What an advert's words say, read now or when it was met. */
export function wordingOf(listing: Listing): Wording {
  return listing.wording ?? { signs: wordSigns(listing), textKey: textKeyOf(listing) };
}

function wordSigns(listing: Listing): Warning[] {
  const text = [listing.title, listing.description].filter((part) => part !== null).join(".\n");
  if (text === "") return [];
  const read = foldText(text);
  return WORD_RULES.flatMap((rule) => {
    const words = rule.appliesTo(listing) ? wordsSeen(read, rule) : undefined;
    return words === undefined ? [] : [{ kind: rule.kind, words }];
  });
}
