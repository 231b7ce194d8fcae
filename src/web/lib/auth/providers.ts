import type { User } from "@supabase/supabase-js";

/** The services to sign in with, each with its name and its name in Supabase. */
export const PROVIDERS = {
  google: { name: "Google", id: "google" },
  telegram: { name: "Telegram", id: "custom:telegram" },
} as const;

export type ProviderName = keyof typeof PROVIDERS;

/** The service that can confirm the owner of an account without a password. */
export function providerOf(user: Pick<User, "identities"> | null): ProviderName {
  const isUsed = (provider: ProviderName) =>
    user?.identities?.some((identity) => identity.provider === PROVIDERS[provider].id) ?? false;
  return !isUsed("google") && isUsed("telegram") ? "telegram" : "google";
}
