import type { Ledger } from "../ledger.ts";
import type { Parameters } from "../read-parameters.ts";
import type { World } from "../world.ts";

export interface Call {
  readonly world: World;
  readonly parameters: Parameters;
  /** Ends when whoever asked has hung up. */
  readonly signal: AbortSignal;
  /** The message this call put into a chat, if it did. */
  accepted?: ReturnType<Ledger["accept"]>;
}

export interface Outcome {
  readonly result: unknown;
  readonly description?: string;
}

export type Method = (call: Call) => Outcome | Promise<Outcome>;
