// OpenID providers. A provider is a plain value; the protocol code is the same for all (provider-client.ts).
import { parseEmailAddress } from "#platform/email-address.ts";
import type { Metadata } from "../auth-bodies.ts";
import { ProviderError } from "./provider-error.ts";

export type Provider = {
  name: string;
  /** URL of its discovery document; plain http is only allowed for a provider on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** Whether an ID token without the nonce that was sent is refused. One with another nonce always is. */
  mustReturnNonce: boolean;
  /** Throws ProviderError if the claims name nobody. */
  accountOf: (claims: Claims, scopes: readonly string[]) => ProviderAccount;
};

/** The claims of a verified ID token. Only their presence is certain, not their type. */
export type Claims = Readonly<Record<string, unknown>>;

export type ProviderAccount = {
  subject: string;
  /** Canonical, and empty if the provider gave none that can be mailed; null from a provider that knows no addresses. */
  email: string | null;
  isEmailVerified: boolean;
  metadata: Metadata;
  /** The provider lets the bot write to the person, in the chat whose id is the subject. */
  isChatOpen?: boolean;
};

type ProviderSettings = { clientId: string; clientSecret: string; url?: string };

export function googleProvider(settings: ProviderSettings): Provider {
  const { clientId, clientSecret, url = "https://accounts.google.com" } = settings;
  const accountOf = (claims: Claims): ProviderAccount => {
    const { iss, sub } = claims;
    if (typeof sub !== "string") throw new ProviderError("no subject");
    const email = parseEmailAddress(textIn(claims, "email", 255))?.email ?? "";
    const isEmailVerified = claims.email_verified === true && email !== "";
    return {
      subject: sub,
      email,
      isEmailVerified,
      metadata: {
        ...{ iss, sub, provider_id: sub, email, email_verified: isEmailVerified },
        ...profileIn(claims),
      },
    };
  };
  const scope = "email profile openid";
  return { name: "google", issuer: url, clientId, clientSecret, scope, mustReturnNonce: true, accountOf };
}

export const TELEGRAM = "custom:telegram";
const BOT_ACCESS = "telegram:bot_access";

/**
 * https://core.telegram.org/bots/telegram-login. Named like a custom provider of hosted Supabase, so that the website asks
 * both backends in the same way. The client is the bot. The code flow was seen to return no nonce; state, PKCE and the browser's
 * secret protect it.
 */
export function telegramProvider(settings: ProviderSettings): Provider {
  const { clientId, clientSecret, url = "https://oauth.telegram.org" } = settings;
  const accountOf = (claims: Claims, scopes: readonly string[]): ProviderAccount => {
    const { iss, sub, id } = claims;
    const subject = botApiIdOf(id);
    return {
      subject,
      email: null,
      isEmailVerified: false,
      metadata: { iss, sub: String(sub), id: subject, provider_id: subject, ...profileIn(claims) },
      isChatOpen: scopes.includes(BOT_ACCESS),
    };
  };
  const scope = `openid profile ${BOT_ACCESS}`;
  return { name: TELEGRAM, issuer: url, clientId, clientSecret, scope, mustReturnNonce: false, accountOf };
}

// https://core.telegram.org/bots/api#user: "at most 52 significant bits".
const LARGEST_BOT_API_ID = 2 ** 52 - 1;

/** The Bot API's user id, which is also the id of the private chat, given as a number or as its digits. `sub` is another one. */
function botApiIdOf(claim: unknown): string {
  const digits = typeof claim === "number" ? String(claim) : claim;
  const isId =
    typeof digits === "string" && /^[1-9]\d{0,15}$/.test(digits) && Number(digits) <= LARGEST_BOT_API_ID;
  if (!isId) throw new ProviderError("no Bot API user id");
  return digits;
}

function profileIn(claims: Claims): Metadata {
  const [name, picture] = [textIn(claims, "name", 200), textIn(claims, "picture", 500)];
  return {
    ...(name && { name, full_name: name }),
    ...(picture && { picture, avatar_url: picture }),
  };
}

/** The value may be cut or malformed, and PostgreSQL must be able to store it. */
function textIn(claims: Claims, name: string, length: number): string {
  const value = claims[name];
  return typeof value === "string" ? value.slice(0, length).replaceAll("\0", "").toWellFormed() : "";
}
