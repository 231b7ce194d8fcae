/** Who may send people here, and where they may be sent back to. */
export type GoogleClient = { clientId: string; clientSecret: string; redirectUris: string[] };

export type GooglePerson = { sub: string; email: string; name: string; isVerified: boolean };

/** What goes wrong with the next sign-in, once. */
export const GOOGLE_FAULTS = [
  "refused",
  "unverified",
  "expired-code",
  "wrong-state",
  "other-account",
  "token-down",
  "bad-signature",
] as const;
export type GoogleFault = (typeof GOOGLE_FAULTS)[number];
