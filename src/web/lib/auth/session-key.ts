/** supabase-js stores the session under a key derived from the host, and a large session in numbered parts. */
export const SESSION_KEY = /^sb-.+-auth-token(\.\d+)?$/;

export function isSessionKey(key: string | null): boolean {
  return key !== null && SESSION_KEY.test(key);
}

/** Whether a person may be signed in, without loading supabase-js. */
export function mayHoldSession(keys: readonly string[]): boolean {
  return keys.some(isSessionKey);
}
