// Prepares the card of a home, which its person then sends to a chat from the Mini App: the same card as "Send to…" in a chat.
import { Api, GrammyError, HttpError } from "grammy";
import type { Sql } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";
import type { Language } from "#core/languages.ts";
import { nativeFetch } from "../bot/updates/native-fetch.ts";
import { cardToSend } from "../send/render/card-to-send.ts";

const ANSWER_WITHIN_SECONDS = 8;

export interface ShareOrder {
  readonly userId: string;
  readonly sessionId: string;
  readonly listingId: string;
  readonly language: Language;
}

/** "not-there": no home of this account, an account without a Telegram user, or a session that has ended meanwhile. "refused": by Telegram, or it is not reached. */
export type Prepared = { readonly preparedId: string } | "not-there" | "refused";

export function createShares(options: { sql: Sql; token: string; apiRoot: string; siteUrl: string }) {
  const { sql, siteUrl } = options;
  const client = { apiRoot: options.apiRoot, timeoutSeconds: ANSWER_WITHIN_SECONDS, fetch: nativeFetch };
  const api = new Api(options.token, client);
  return async ({ userId, sessionId, listingId, language }: ShareOrder): Promise<Prepared> => {
    const [found] = await sql<{ telegramId: string; listing: AlertListing }[]>`
      select own.telegram_id as "telegramId", listings.details as listing
      from public.listings join watch.telegram_identities as own using (user_id)
      where listings.user_id = ${userId} and listings.listing_id = ${listingId} and own.telegram_id is not null
        and exists (select from auth.sessions where id = ${sessionId} and user_id = ${userId})`;
    if (found === undefined) return "not-there";
    const card = cardToSend(found.listing, { id: listingId, language, siteUrl });
    const allowed = { allow_user_chats: true, allow_group_chats: true, allow_channel_chats: true };
    try {
      const { id } = await api.savePreparedInlineMessage(Number(found.telegramId), card, allowed);
      return { preparedId: id };
    } catch (error) {
      if (error instanceof GrammyError || error instanceof HttpError) return "refused";
      throw error;
    }
  };
}
