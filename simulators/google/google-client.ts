/** The registered client and its redirect URLs. */
export type GoogleClient = { clientId: string; clientSecret: string; redirectUris: string[] };

export type GooglePerson = { sub: string; email: string; name: string; isVerified: boolean };

/** The fault of the next sign-in. It happens once. */
export const GOOGLE_FAULTS = [
  "refused",
  "unverified",
  "no-email",
  "email-at-userinfo",
  "expired-code",
  "wrong-state",
  "other-account",
  "token-down",
  "bad-signature",
] as const;
export type GoogleFault = (typeof GOOGLE_FAULTS)[number];
