import type { BotParts } from "../bot-parts.ts";
import type { Admission } from "./inbound-limit.ts";

/** What it takes to listen: the world around, and the patience with each person. */
export interface UpdateContext {
  readonly parts: BotParts;
  readonly admit: (who: string) => Admission;
}
