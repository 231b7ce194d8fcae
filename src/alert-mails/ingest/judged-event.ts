import type { Listing } from "#core/listing/listing.ts";
import type { MailEvent } from "../read/mail-event.ts";
import type { EventDecision } from "./decide-event.ts";

/** What an advert in a mail means for the user. */
export interface JudgedEvent {
  readonly event: MailEvent;
  readonly listing: Listing;
  readonly decision: EventDecision;
  readonly isHidden: boolean;
  /** The matching searches, and those of them and of the row that send alerts. */
  readonly searchIds: readonly string[];
  readonly alertingIds: readonly string[];
  readonly isWanted: boolean;
  /** For a price cut: the same advert for matching searches that left it out so far. If it passes now, it is new to them. */
  readonly leftOutBefore?: JudgedEvent | undefined;
}
