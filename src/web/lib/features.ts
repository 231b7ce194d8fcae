/** What can be switched off with one word, should it ever have to be. */
export const FEATURES: { googleSignIn: boolean } = { googleSignIn: true };
