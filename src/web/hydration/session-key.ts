/** supabase-js keeps the session under a key derived from the host, and large sessions in numbered parts. */
export const SESSION_KEY = /^sb-.+-auth-token(\.\d+)?$/;

export function isSessionKey(key: string | null): boolean {
  return key !== null && SESSION_KEY.test(key);
}

/** Whether someone may be signed in here, known without loading supabase-js. */
export function mayHoldSession(keys: readonly string[]): boolean {
  return keys.some(isSessionKey);
}
