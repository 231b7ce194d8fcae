// Access tokens can be stolen, so changing the password and deleting the account require more: the current password, a
// reset link opened just now, or, for an account without a password, a provider sign-in just now.
import { BusyError } from "#platform/limits/semaphore.ts";
import type { Bearer } from "../access-token.ts";
import type { Accounts, ProvableAccount } from "../accounts.ts";
import type { Caller } from "../auth-request.ts";
import { hashOf } from "../sessions.ts";
import type { CheckPassword } from "./passwords.ts";

const MINUTE_MS = 60_000;
const RECOVERY_LASTS_MS = 15 * MINUTE_MS;
const PROVIDER_LASTS_MS = 10 * MINUTE_MS;

/** An account that a call has just proved, by its password or by the recent sign-in of its session. */
export type ProvenAccount = { account: ProvableAccount; isBySignIn: boolean };

type Attempt = { bearer: Bearer; caller: Caller; currentPassword: string | undefined };

/** In GoTrue's terms, for both APIs. */
export type ProofRefusal = { status: 400 | 403 | 429; code: string; message: string };

export type Reauthentication = ReturnType<typeof createReauthentication>;

export function createReauthentication(options: {
  accounts: Accounts;
  checkPassword: CheckPassword;
  now: () => number;
}) {
  const { accounts, checkPassword, now } = options;

  const prove = async ({
    bearer,
    caller,
    currentPassword,
  }: Attempt): Promise<ProvenAccount | { refusal: ProofRefusal }> => {
    const account = await accounts.findProvable(bearer);
    if (!account) return { refusal: ENDED };
    if (isJustProved(account, now())) return { account, isBySignIn: true };
    if (account.passwordHash === null) return { refusal: SIGN_IN_AGAIN };
    if (!currentPassword) return { refusal: PASSWORD_REQUIRED };
    // Counted like a sign-in, otherwise passwords could be guessed here.
    const { email } = account;
    const attempt = { email, account, password: currentPassword, caller };
    const verdict = await checkPassword(attempt).catch((error: unknown) => {
      if (error instanceof BusyError) return "limited" as const;
      throw error;
    });
    if (verdict === "right") return { account, isBySignIn: false };
    return { refusal: verdict === "limited" ? LIMITED : WRONG_PASSWORD };
  };

  return {
    prove,
    /**
     * The proof of a correct password for one call of a function of the data API, which reads it in its own transaction
     * (private.require_proof). Without one the function decides alone, by the recent sign-in of the session.
     */
    proveForCall: async ({
      call,
      ...attempt
    }: Attempt & { call: string }): Promise<{ proof: string | undefined } | { refusal: ProofRefusal }> => {
      if (attempt.currentPassword === undefined) return { proof: undefined };
      const proven = await prove(attempt);
      if ("refusal" in proven) return proven;
      const { isBySignIn, account } = proven;
      if (isBySignIn || account.passwordHash === null) return { proof: undefined };
      return { proof: `${call} ${attempt.bearer.sessionId} ${hashOf(account.passwordHash)}` };
    },
  };
}

function isJustProved({ passwordHash, proofs }: ProvableAccount, nowMs: number): boolean {
  return proofs.some(({ method, atMs }) => {
    if (method === "recovery") return nowMs - atMs < RECOVERY_LASTS_MS;
    return method === "oauth" && passwordHash === null && nowMs - atMs < PROVIDER_LASTS_MS;
  });
}

const refusal = (status: ProofRefusal["status"], code: string, message: string): ProofRefusal => ({
  status,
  code,
  message,
});

const ENDED = refusal(403, "session_not_found", "Session from session_id claim in JWT does not exist");
const SIGN_IN_AGAIN = refusal(
  400,
  "reauthentication_needed",
  "Sign in again, then repeat this within ten minutes",
);
const PASSWORD_REQUIRED = refusal(400, "current_password_required", "The current password is required");
const WRONG_PASSWORD = refusal(400, "current_password_invalid", "The current password is not right");
const LIMITED = refusal(429, "over_request_rate_limit", "Request rate limit reached");
