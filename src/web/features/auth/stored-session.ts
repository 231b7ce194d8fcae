/** supabase-js keeps the session under a key derived from the host, and large sessions in numbered parts. */
const SESSION_KEY = /^sb-.+-auth-token(\.\d+)?$/;

export function isSessionKey(key: string | null): boolean {
  return key !== null && SESSION_KEY.test(key);
}

/** Whether someone may be signed in here, told without loading supabase-js. */
export function mayHoldSession(keys: readonly string[], location: { search: string; hash: string }): boolean {
  if (keys.some(isSessionKey)) return true;
  const fragment = new URLSearchParams(location.hash.slice(1));
  return fragment.has("access_token") || new URLSearchParams(location.search).has("code");
}
