// What an access token alone must not do, for tokens are stolen: change the password, or end the account. Both ask for
// more: the current password; or a reset link opened just now; or, where there is no password, Google just now.
import bcrypt from "bcryptjs";
import type { Gate } from "../limits/gate.ts";
import type { FunctionCall } from "../rest/rest-api.ts";
import { restError } from "../rest/rest-error.ts";
import type { Bearer } from "./access-token.ts";
import type { AuthBody } from "./auth-body.ts";
import { authError } from "./auth-error.ts";
import type { AuthRecords, ProvableAccount } from "./auth-records.ts";
import { refuseWeakPassword } from "./common-passwords.ts";
import { authRefusal } from "./refusals.ts";
import type { SignIn } from "./sign-in.ts";

const MINUTE_MS = 60_000;
const RECOVERY_LASTS_MS = 15 * MINUTE_MS;
const GOOGLE_LASTS_MS = 10 * MINUTE_MS;

type Attempt = { bearer: Bearer; address: string; currentPassword: unknown };

type Verdict = { account: ProvableAccount } | { refusal: Response };

export type Reauthentication = ReturnType<typeof createReauthentication>;

export function createReauthentication(options: {
  records: AuthRecords;
  signIn: SignIn;
  hashing: Gate;
  now: () => number;
}) {
  const { records, signIn, hashing, now } = options;

  const prove = async ({ bearer, address, currentPassword }: Attempt): Promise<Verdict> => {
    const account = await records.findProvableAccount(bearer);
    if (!account) return { refusal: authRefusal("session_ended") };
    const { email, passwordHash } = account;
    if (isJustProved(account, now())) return { account };
    if (passwordHash === null) return { refusal: authError(400, "reauthentication_needed", SIGN_IN_AGAIN) };
    if (typeof currentPassword !== "string" || currentPassword === "") {
      return { refusal: authError(400, "current_password_required", "The current password is required") };
    }
    // Counted as a sign-in: otherwise this would be the door at which to guess.
    const answer = await signIn({ body: { email, password: currentPassword }, address }, async () =>
      (await bcrypt.compare(currentPassword, passwordHash)) ? new Response(null) : wrongPassword(),
    );
    return answer.ok ? { account } : { refusal: answer };
  };

  return {
    /** PUT /user: the name is free to change, a password asks for proof, and nothing else is let through. */
    changeUser: async (
      { body, bearer, address }: { body: AuthBody; bearer: Bearer | undefined; address: string },
      forward: (body: AuthBody) => Promise<Response>,
    ): Promise<Response> => {
      if (body.email !== undefined || body.phone !== undefined) {
        return authError(422, "validation_failed", "The address of an account cannot be changed here");
      }
      const { password, current_password: currentPassword, data } = body;
      const kept = data === undefined ? {} : { data };
      if (typeof password !== "string" || !bearer) return forward(kept);
      return hashing(async () => {
        const proof = await prove({ bearer, address, currentPassword });
        if ("refusal" in proof) return proof.refusal;
        const weak = refuseWeakPassword(password, proof.account.email);
        if (weak) return weak;
        await records.forgetProofsOfOthers(bearer);
        const answer = await forward({ ...kept, password });
        if (answer.ok) await records.notePasswordChange(bearer);
        return answer;
      }, address);
    },

    /** Around the data API's `delete_my_account`, which looks for a proof itself: a right password is noted while it runs. */
    deleteAccount: async (
      { args, bearer, address }: FunctionCall,
      run: () => Promise<Response>,
    ): Promise<Response> => {
      const currentPassword = args.get("current_password");
      if (typeof currentPassword !== "string") return run();
      const proof = await hashing(() => prove({ bearer, address, currentPassword }), address);
      if ("refusal" in proof) return inRestWords(proof.refusal);
      await records.noteProof(bearer.sessionId, { method: "password", atMs: now() });
      try {
        return await run();
      } finally {
        await records.forgetProof(bearer.sessionId, "password");
      }
    },
  };
}

const SIGN_IN_AGAIN = "Sign in with Google again, then repeat this within ten minutes";

const wrongPassword = () => authError(400, "current_password_invalid", "The current password is not right");

function isJustProved({ passwordHash, proofs }: ProvableAccount, now: number): boolean {
  return proofs.some(({ method, atMs }) => {
    if (method === "recovery") return now - atMs < RECOVERY_LASTS_MS;
    return method === "oauth" && passwordHash === null && now - atMs < GOOGLE_LASTS_MS;
  });
}

async function inRestWords(refusal: Response): Promise<Response> {
  const { error_code: details, msg: message } = (await refusal.json()) as { error_code: string; msg: string };
  return refusal.status === 429
    ? restError({ status: 429, code: "PT429", details, message })
    : restError({ status: 403, code: "PT403", details, message });
}
