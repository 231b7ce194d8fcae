// The bodies of auth requests, as supabase-js 2.119 sends them. Other fields are dropped, so nobody can set a role, an
// id or a confirmation.
import { z } from "zod";
import { parseEmailAddress } from "#platform/email-address.ts";
import { MAX_PASSWORD_BYTES } from "./passwords/passwords.ts";

const MAX_METADATA_BYTES = 4_096;

const INVALID_EMAIL = "Unable to validate email address: invalid format";
const EMPTY_CODE = "invalid request: both auth code and code verifier should be non-empty";

const text = (name: string) => z.string({ error: `${name} must be a string` });

/** Its code is shown as a sentence in the person's language. */
export const emailAddress = text("email").transform((typed, context) => {
  const address = parseEmailAddress(typed);
  if (address) return address.email;
  context.addIssue({ code: "custom", message: INVALID_EMAIL, params: { code: "email_address_invalid" } });
  return z.NEVER;
});

const password = text("password")
  .min(1, "password must not be empty")
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    "Password cannot be longer than 72 bytes",
  );

export type Metadata = Record<string, unknown>;

const isObject = (value: unknown): value is Metadata =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isSmallEnough = (data: Metadata) =>
  Buffer.byteLength(JSON.stringify(data)) <= MAX_METADATA_BYTES;

// Kept as parsed: copying it key by key would run the setter of a key named __proto__.
const metadata = z
  .custom<Metadata>(isObject, "User data must be an object")
  .refine(isSmallEnough, "User data is too large");

/** supabase-js sends these with every call. They have no effect: there is no captcha, and links work in any browser. */
const ignored = {
  gotrue_meta_security: z.looseObject({}, "gotrue_meta_security must be an object").nullish(),
  code_challenge: text("code_challenge").nullish(),
  code_challenge_method: text("code_challenge_method").nullish(),
};

export const signUpBody = z.object({ ...ignored, email: emailAddress, password, data: metadata.optional() });
export const signInBody = z.object({ ...ignored, email: emailAddress, password });
export const refreshBody = z.object({
  refresh_token: text("refresh_token").min(1, "refresh_token required"),
});
export const exchangeBody = z.object({
  auth_code: text("auth_code").min(1, EMPTY_CODE),
  code_verifier: text("code_verifier").min(1, EMPTY_CODE),
});
/** What Telegram gives a Mini App, as it is. */
export const launchBody = z.object({ init_data: text("init_data").min(1, "init_data required") });
export const recoverBody = z.object({ ...ignored, email: emailAddress });
export const resendBody = z.object({
  ...ignored,
  email: emailAddress,
  type: z.literal("signup", "Only the mail of a sign-up can be sent again"),
});
export const verifyBody = z.object({
  ...ignored,
  token_hash: text("token_hash").min(1, "Verify requires a token hash"),
  type: z.enum(["recovery", "signup", "email", "email_change"], "Unsupported verification type"),
});
export const updateBody = z.object({
  ...ignored,
  password: password.optional(),
  current_password: z.union([z.literal(""), password]).optional(),
  data: metadata.optional(),
  // Read as an address only for an account that may add one.
  email: z.unknown().optional(),
  phone: z.unknown().optional(),
});
