import type { Faults } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Limits } from "./limits.ts";
import type { Clock } from "./market/clock.ts";
import type { Market } from "./market/market.ts";
import type { Tokens } from "./official/tokens.ts";
import type { LimitShape } from "./refusals.ts";

/** All that one running simulator holds. */
export interface World {
  readonly clock: Clock;
  readonly market: Market;
  readonly tokens: Tokens;
  readonly limits: Limits;
  readonly byUrlLimits: Limits;
  readonly byUrlKey: string;
  readonly faults: Faults;
  readonly ledger: Ledger;
  readonly isControlOn: boolean;
  limitShape: LimitShape;
}
