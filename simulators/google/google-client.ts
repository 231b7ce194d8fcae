// It stands in Google's place, so its tokens name Google as their issuer.
export const ISSUER = "https://accounts.google.com";

/** Who may send people here, and where they may be sent back to. */
export type GoogleClient = { clientId: string; clientSecret: string; redirectUris: string[] };

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
