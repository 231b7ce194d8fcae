// What GoTrue offers and this server does not. Each is answered with GoTrue's own code for a project where it is switched
// off, because callers of supabase-js decide by the code.
import { authError } from "./auth-error.ts";

const otpDisabled = () => authError(422, "otp_disabled", "Sign-in by a mailed code or link is disabled");
const phoneDisabled = () => authError(400, "phone_provider_disabled", "Sign-in by phone is disabled");
const samlDisabled = () => authError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
const enrolDisabled = () => authError(422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP");
const verifyDisabled = () => authError(422, "mfa_totp_verify_not_enabled", "MFA verify is disabled for TOTP");
const linkingDisabled = () => authError(404, "manual_linking_disabled", "Manual linking is disabled");

const ABSENT: readonly [RegExp, () => Response][] = [
  [/^(?:POST (?:otp|magiclink)|GET reauthenticate)$/, otpDisabled],
  [/^POST factors$/, enrolDisabled],
  [/^(?:POST|DELETE) factors\/[^/]+(?:\/(?:challenge|verify))?$/, verifyDisabled],
  [/^(?:POST|GET) sso(?:\/saml\/(?:acs|metadata))?$/, samlDisabled],
  [/^DELETE user\/identities\/[^/]+$/, linkingDisabled],
];

/** The answer to a route of GoTrue that belongs to an absent feature. */
export function answerAbsentRoute(method: string, pathname: string): Response | undefined {
  const asked = `${method} ${pathname.replace("/auth/v1/", "")}`;
  return ABSENT.find(([pattern]) => pattern.test(asked))?.[1]();
}

/** By the grant type. */
export const ABSENT_GRANTS: readonly [string, () => Promise<Response>][] = [
  ["id_token", async () => authError(400, "provider_disabled", "Sign-in with an ID token is not enabled")],
  ["web3", async () => authError(422, "web3_provider_disabled", "Sign-in with Web3 is disabled")],
];

const isGiven = (body: object, name: string) => name in body && Boolean(body[name as keyof typeof body]);

export const refusePhone = (body: object) => (isGiven(body, "phone") ? phoneDisabled() : undefined);

/** A sign-up without an address is an anonymous one. */
export function refuseOtherSignUp(body: object): Response | undefined {
  if (isGiven(body, "phone")) return phoneDisabled();
  if ("email" in body) return undefined;
  return authError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
}

/** A code to type, instead of the hash in a mailed link. */
export const refuseCode = (body: object) =>
  isGiven(body, "token") && !isGiven(body, "token_hash") ? otpDisabled() : undefined;
