import type { Bearer } from "../auth/access-token.ts";
import type { Caller } from "../auth/auth-request.ts";

type FunctionCall = {
  name: string;
  args: ReadonlyMap<string, unknown>;
  bearer: Bearer;
  caller: Caller;
  /** Resolves when the answer has been written, or its reader is gone. */
  written: Promise<unknown>;
};

/** Checks a call that requires more than a token: refuses it, or runs it with a proof for its transaction alone. */
export type AroundCall = (
  call: FunctionCall,
  run: (proof?: string) => Promise<Response>,
) => Promise<Response>;
