// A signed-in person's own account: GET and PUT /user, POST /logout.
import type { z } from "zod";
import type { Bearer } from "./access-token.ts";
import { addressIsFixed, createAddressProofs } from "./address-proofs.ts";
import type { updateBody } from "./auth-bodies.ts";
import { authError, authRefusal, rateLimited } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Caller } from "./auth-request.ts";
import { refuseWeakPassword } from "./passwords/common-passwords.ts";
import { hashPassword, isPassword } from "./passwords/passwords.ts";
import type { ProvenAccount } from "./passwords/reauthentication.ts";

type Person = { bearer: Bearer; caller: Caller };

type OwnChange = z.infer<typeof updateBody>;

export function createOwnAccount(parts: AuthParts) {
  const { accounts, sessions, reauthentication, record } = parts;
  const addressProofs = createAddressProofs(parts);
  const withinLimit = createChangeLimit(parts);

  const read = async ({ bearer }: Person): Promise<Response> => {
    const user = await accounts.readUser(bearer.userId);
    if (!user) return authRefusal("session_ended");
    return Response.json(user, { headers: { "cache-control": "no-store" } });
  };

  /** Returns undefined on success. */
  const changePassword = async (
    password: string,
    currentPassword: string | undefined,
    { bearer, caller }: Person,
  ): Promise<Response | undefined> => {
    const proven = await reauthentication.prove({ bearer, caller, currentPassword });
    if ("refusal" in proven) {
      const { status, code, message } = proven.refusal;
      return authError(status, code, message);
    }
    const { account } = proven;
    if (account.email === "") {
      return authError(
        422,
        "validation_failed",
        "Add an email address first: the password is entered with it",
      );
    }
    const weak = refuseWeakPassword(password, account.email);
    if (weak) return weak;
    const proved = { address: caller.address, isKnown: true };
    if (account.passwordHash !== null && (await isPassword(password, account.passwordHash, proved))) {
      return authError(422, "same_password", "New password should be different from the old password.");
    }
    const isChanged = await withinLimit(proven, bearer, async () =>
      accounts.changePassword(proven, { bearer, newHash: await hashPassword(password, proved) }),
    );
    if (isChanged === undefined) return rateLimited();
    if (!isChanged) {
      return authError(409, "conflict", "The account was changed at the same time");
    }
    record({ kind: "password_changed", ...bearer, ...caller });
    return undefined;
  };

  return {
    read,
    /** User data can be changed freely. A password, or the first address, requires proof. Nothing else can be changed. */
    change: async (
      change: OwnChange,
      { redirectTo, ...person }: Person & { redirectTo: string | undefined },
    ): Promise<Response> => {
      const { email, password, current_password: currentPassword, data } = change;
      // The password of an account without an address could not be used.
      if (change.phone !== undefined || (email !== undefined && password !== undefined))
        return addressIsFixed();
      const refused =
        email !== undefined
          ? await addressProofs.add(email, { ...person, currentPassword, redirectTo })
          : password !== undefined && (await changePassword(password, currentPassword, person));
      if (refused) return refused;
      const changed = data === undefined ? "changed" : await accounts.changeMetadata(person.bearer, data);
      if (changed === "session_ended") return authRefusal(changed);
      if (changed === "too large") return authError(400, "validation_failed", "User data is too large");
      return read(person);
    },

    signOut: async (scope: string, { bearer, caller }: Person): Promise<Response> => {
      if (scope !== "global" && scope !== "local" && scope !== "others") {
        return authError(400, "validation_failed", "Unsupported logout scope");
      }
      for (const sessionId of await sessions.end(bearer, scope)) {
        record({ kind: "session_ended", userId: bearer.userId, sessionId, ...caller });
      }
      return new Response(null, { status: 204 });
    },
  };
}

/** A change by the current password counts, unless another one prevents it. Undefined if there were too many. */
function createChangeLimit({ limits, now }: AuthParts) {
  return async (
    { isBySignIn }: ProvenAccount,
    { userId }: Bearer,
    change: () => Promise<boolean>,
  ): Promise<boolean | undefined> => {
    if (isBySignIn) return change();
    if (!(await limits.passwordChanges.take(userId, now()))) return undefined;
    const isChanged = await change();
    if (!isChanged) await limits.passwordChanges.giveBack(userId);
    return isChanged;
  };
}
